import {
  type Behavior,
  type ClaimSchedule,
  type Condition,
  type CreatorFee,
  type CreatorFeeInitArgs,
  FeeDiscriminants,
  type GenesisAccountV2AccountData,
  type LinearBpsScheduleV2,
} from '@metaplex-foundation/genesis'
import type { PublicKey } from '@metaplex-foundation/umi'
import { assertSigner, createAccount, isSystemProgram, resizeAccount } from '../../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { accountsOf } from '../accounts.ts'
import type { BucketKind } from '../buckets.ts'
import {
  asKey,
  assertKind,
  assertMints,
  assertPrograms,
  GENESIS,
  genesisError,
  genesisSerializer,
  loadBucket,
  loadGenesis,
  saveBucket,
} from '../checks.ts'
import { ensureTokenAccount } from '../tokens.ts'

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
  const accounts = accountsOf(ctx, 'setBehaviors')
  const { genesisAccount, bucket, payer } = accounts
  assertSigner(payer)
  if (!isSystemProgram(accounts.systemProgram)) throw genesisError('InvalidSystemProgram')
  loadOpenGenesis(ctx, accounts)
  const decoded = loadBucket(ctx, bucket, genesisAccount, kind)
  resizeAccount(ctx, bucket, payer, kind.serialize({ ...decoded, endBehaviors }))
}

/** A schedule counts from a time. `Always` and `Triggered` have none. */
const STARTS: readonly Condition['__kind'][] = ['TimeAbsolute', 'TimeRelative', 'Never']
const BPS = 10_000

export function parseSchedule(schedule: LinearBpsScheduleV2): LinearBpsScheduleV2 {
  assertKind(schedule.startCondition, STARTS)
  if (schedule.duration <= 0n) throw genesisError('InvalidScheduleTiming')
  return schedule
}

export function parseClaimSchedule(schedule: ClaimSchedule): ClaimSchedule {
  const { startCondition, cliffCondition, duration, period, cliffAmountBps } = schedule
  assertKind(startCondition, STARTS)
  assertKind(cliffCondition, STARTS)
  if (period === 0n) throw genesisError('InvalidClaimSchedulePeriod')
  if (cliffAmountBps > BPS) throw genesisError('InvalidClaimScheduleCliffAmount')
  if (duration === 0n) throw genesisError('InvalidClaimScheduleDuration')
  if (duration < period) throw genesisError('ClaimScheduleDurationTooShort')
  return schedule
}

/** The program sets the rate, 0.6 %; the authority of a launch chooses only the wallet. */
export const CREATOR_FEE_BPS = 60n
const NO_WALLET = '11111111111111111111111111111111'

export function createCreatorFee({ wallet }: CreatorFeeInitArgs): CreatorFee {
  if (wallet === NO_WALLET) throw genesisError('InvalidCreatorFeeConfig')
  return { wallet, feeType: FeeDiscriminants.BasisPoints, padding: Array(7).fill(0), fee: CREATOR_FEE_BPS }
}
