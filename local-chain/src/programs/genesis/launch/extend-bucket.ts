import type { Behavior } from '@metaplex-foundation/genesis'
import type { PublicKey } from '@metaplex-foundation/umi'
import { assertSigner, isSystemProgram, namedAccounts, resizeAccount } from '../../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import type { BucketKind } from '../buckets.ts'
import { GENESIS, loadBucket, saveBucket } from '../checks.ts'
import { genesisError } from '../errors.ts'
import { loadOpenGenesis } from './add-bucket.ts'

type Bucket = { readonly bucket: { readonly genesis: PublicKey; readonly bucketIndex: number } }

/** Adds extensions to a bucket. `parse` checks one and returns the field that it sets. */
export function extendBucket<Args, B extends Args & Bucket & { extensions: object }, E>(
  ctx: Invocation,
  accounts: Record<'genesisAccount' | 'bucket' | 'payer', AccountRef> & { authority?: AccountRef },
  kind: BucketKind<Args, B>,
  extensions: readonly E[],
  parse: (extension: E) => Partial<B['extensions']>,
): void {
  loadOpenGenesis(ctx, accounts)
  const { bucket, genesisAccount } = accounts
  const decoded = loadBucket(ctx, bucket, genesisAccount, kind)
  for (const extension of extensions) Object.assign(decoded.extensions, parse(extension))
  saveBucket(ctx, bucket, kind.serialize(decoded))
}

/** Replaces the end behaviors of a bucket; the payer pays the rent of a longer list. */
export function setBehaviors<Args, B extends Args & Bucket & { endBehaviors: Behavior[] }>(
  ctx: Invocation,
  kind: BucketKind<Args, B>,
  endBehaviors: Behavior[],
): void {
  const accounts = namedAccounts(ctx, GENESIS, [
    'genesisAccount',
    'bucket',
    'payer',
    'authority?',
    'systemProgram',
  ])
  const { genesisAccount, bucket, payer } = accounts
  assertSigner(payer)
  if (!isSystemProgram(accounts.systemProgram)) throw genesisError('InvalidSystemProgram')
  loadOpenGenesis(ctx, accounts)
  const decoded = loadBucket(ctx, bucket, genesisAccount, kind)
  resizeAccount(ctx, bucket, payer, kind.serialize({ ...decoded, endBehaviors }))
}
