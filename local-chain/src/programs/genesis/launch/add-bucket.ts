import { FeeDiscriminants, type GenesisAccountV2AccountData } from '@metaplex-foundation/genesis'
import { createAccount } from '../../create-account.ts'
import { assertSigner } from '../../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import type { BucketKind } from '../buckets.ts'
import { asKey, assertMints, assertPrograms, GENESIS, genesisSerializer, loadGenesis } from '../checks.ts'
import { genesisError } from '../errors.ts'
import { ensureTokenAccount } from '../tokens.ts'

/** The accounts of most instructions that add a bucket, in order. */
export const BUCKET_ACCOUNTS = [
  'genesisAccount',
  'bucket',
  'baseMint',
  'quoteMint',
  'bucketQuoteTokenAccount',
  'payer',
  'authority?',
] as const
export const PROGRAM_ACCOUNTS = ['quoteTokenProgram', 'associatedTokenProgram', 'systemProgram'] as const

type Accounts = Record<
  | 'genesisAccount'
  | 'bucket'
  | 'baseMint'
  | 'quoteMint'
  | 'payer'
  | 'quoteTokenProgram'
  | 'associatedTokenProgram'
  | 'systemProgram',
  AccountRef
> & { readonly authority?: AccountRef }

/** Loads a launch that its authority may still change. */
export function loadOpenGenesis(
  ctx: Invocation,
  { genesisAccount, payer, authority = payer }: Pick<Accounts, 'genesisAccount' | 'payer' | 'authority'>,
): GenesisAccountV2AccountData {
  assertSigner(payer)
  assertSigner(authority)
  const genesis = loadGenesis(ctx, genesisAccount)
  if (genesis.authority !== asKey(authority.address)) throw genesisError('InvalidAuthority')
  if (genesis.finalized) throw genesisError('GenesisAccountFinalized')
  return genesis
}

/**
 * Adds a bucket to a launch: gives it its part of the supply, and creates its account and its quote token account.
 * `encode` gets the fields that all buckets have.
 */
export function addBucket<Args, Bucket extends Args>(
  ctx: Invocation,
  accounts: Accounts,
  {
    kind,
    bucketIndex,
    allocation,
    emptyAllowed = false,
    quoteHolder,
  }: {
    kind: BucketKind<Args, Bucket>
    bucketIndex: number
    allocation: bigint
    emptyAllowed?: boolean
    /** The token account for the bucket's quote tokens and its owner. */
    quoteHolder: { account: AccountRef; owner: AccountRef }
  },
  encode: (base: BucketBase) => Uint8Array,
): void {
  const { genesisAccount, bucket, payer, systemProgram } = accounts
  assertPrograms([accounts.quoteTokenProgram], accounts)
  const genesis = loadOpenGenesis(ctx, accounts)
  const [address, bump] = kind.pda(asKey(genesisAccount.address), bucketIndex)
  if (address !== asKey(bucket.address)) throw genesisError('InvalidBucketAccountDerivation')
  assertMints(genesis, accounts)
  const left = genesis.totalSupplyBaseToken - genesis.totalAllocatedSupplyBaseToken
  if ((allocation === 0n && !emptyAllowed) || allocation > left) throw genesisError('InvalidTokenAllocation')

  const data = encode(bucketBase(genesis, { bump, bucketIndex, genesis: genesisAccount, allocation }))
  createAccount(ctx, { created: bucket, payer, owner: GENESIS }, data)
  ensureTokenAccount(ctx, {
    ...quoteHolder,
    mint: accounts.quoteMint,
    payer,
    tokenProgram: accounts.quoteTokenProgram,
    systemProgram,
  })
  saveGenesis(ctx, genesisAccount, {
    ...genesis,
    totalAllocatedSupplyBaseToken: genesis.totalAllocatedSupplyBaseToken + allocation,
    bucketCount: genesis.bucketCount + 1,
  })
}

type BucketBase = ReturnType<typeof bucketBase>
const bucketBase = (
  { baseMint, quoteMint }: GenesisAccountV2AccountData,
  {
    bump,
    bucketIndex,
    genesis,
    allocation,
  }: {
    bump: number
    bucketIndex: number
    genesis: AccountRef
    allocation: bigint
  },
) => ({
  bump,
  bucketIndex,
  feeType: FeeDiscriminants.Flat,
  padding: [0, 0, 0, 0, 0],
  genesis: asKey(genesis.address),
  baseTokenAllocation: allocation,
  baseTokenBalance: allocation,
  quoteTokenBalance: 0n,
  fee: 0n,
  baseMint,
  quoteMint,
  reserved: new Uint8Array(64),
})

export function saveGenesis(
  ctx: Invocation,
  genesisAccount: AccountRef,
  genesis: GenesisAccountV2AccountData,
): void {
  const account = ctx.read(genesisAccount.address)
  if (!account) throw genesisError('InvalidGenesisAccount')
  const data = genesisSerializer.serialize(genesis)
  ctx.write(genesisAccount.address, { ...account, data })
}
