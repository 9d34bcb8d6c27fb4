import { findRaydiumBucketSignerPda } from '@metaplex-foundation/genesis'
import type { AccountRef } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { asKey } from './checks.ts'
import { genesisError } from './errors.ts'

/** Returns the bump of the signer's address. */
export function assertBucketSigner(signer: AccountRef, bucket: AccountRef): number {
  const [expected, bump] = findRaydiumBucketSignerPda(umi, { bucket: asKey(bucket.address) })
  if (expected !== asKey(signer.address)) throw genesisError('InvalidRaydiumBucketSigner')
  return bump
}
