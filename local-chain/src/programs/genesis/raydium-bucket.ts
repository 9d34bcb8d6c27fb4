import {
  findRaydiumBucketSignerPda,
  findRaydiumCpmmBucketV2Pda,
  getRaydiumCpmmBucketV2AccountDataSerializer,
  Key,
  type RaydiumCpmmBucketV2AccountDataArgs,
} from '@metaplex-foundation/genesis'
import type { AccountRef, Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { asKey, loadBucket } from './checks.ts'
import { genesisError } from './errors.ts'

export function loadRaydiumBucket(ctx: Invocation, bucket: AccountRef, genesisAccount: AccountRef) {
  return loadBucket(ctx, bucket, genesisAccount, {
    key: Key.RaydiumCpmmBucketV2,
    deserialize: data => getRaydiumCpmmBucketV2AccountDataSerializer().deserialize(data),
    address: seeds => findRaydiumCpmmBucketV2Pda(umi, seeds)[0],
  })
}

export const encodeRaydiumBucket = (decoded: RaydiumCpmmBucketV2AccountDataArgs): Uint8Array =>
  getRaydiumCpmmBucketV2AccountDataSerializer().serialize(decoded)

export function assertBucketSigner(signer: AccountRef, bucket: AccountRef): void {
  const [expected] = findRaydiumBucketSignerPda(umi, { bucket: asKey(bucket.address) })
  if (expected !== asKey(signer.address)) throw genesisError('InvalidRaydiumBucketSigner')
}
