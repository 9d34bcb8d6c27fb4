import {
  type DepositLaunchPoolV2InstructionData,
  type DepositPresaleV2InstructionData,
  findLaunchPoolDepositV2Pda,
  findPresaleDepositV2Pda,
  getLaunchPoolDepositV2AccountDataSerializer,
  getPresaleDepositV2AccountDataSerializer,
  Key,
  type LaunchPoolV2Extensions,
  type PresaleBucketV2AccountData,
} from '@metaplex-foundation/genesis'
import { type Pda, type PublicKey, unwrapOption } from '@metaplex-foundation/umi'
import type { Serializer } from '@metaplex-foundation/umi/serializers'
import { costInPool, costInPresale } from '@slipway/launch-model/deposits'
import { launchPool as poolModel } from '@slipway/launch-model/kinds/launch-pool'
import { presale as presaleModel } from '@slipway/launch-model/kinds/presale'
import { assertSigner, createAccount } from '../../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { umi } from '../../umi-context.ts'
import { type AccountsOf, accountsOf } from '../accounts.ts'
import { blank, launchPool, presale } from '../buckets.ts'
import {
  asKey,
  assertFeeAccount,
  assertFinalized,
  assertHolder,
  assertMints,
  assertPrograms,
  GENESIS,
  genesisError,
  isMet,
  loadBucket,
  loadGenesis,
  readTerms,
  readUnixTime,
  saveBucket,
  triggerIfDue,
} from '../checks.ts'
import { ensureTokenAccount, takeTokens } from '../tokens.ts'

/** Deposits quote tokens in a launch pool. The fee is taken from the deposit, and a bonus adds to its weight. */
export function depositInLaunchPool(
  ctx: Invocation,
  { amountQuoteToken }: DepositLaunchPoolV2InstructionData,
): void {
  const accounts = accountsOf(ctx, 'deposit')
  const { bucket, depositPda, rentPayer } = accounts
  const owner = openDeposit(ctx, accounts)
  const pool = loadBucket(ctx, bucket, accounts.genesisAccount, launchPool)
  if (amountQuoteToken === 0n) throw genesisError('InvalidPresaleDepositAmount')
  const now = readUnixTime(ctx)
  const cost = costInPool(readTerms(ctx, bucket, poolModel), amountQuoteToken, now)
  const { deposit, created } = poolDeposits.find(ctx, { depositPda, bucket, owner })
  assertPoolLimits(pool.extensions, (deposit?.amountQuoteToken ?? 0n) + cost.credited)
  const depositStartCondition = triggerIfDue(pool.depositStartCondition, now)
  const depositEndCondition = triggerIfDue(pool.depositEndCondition, now)
  if (!isMet(depositStartCondition)) throw genesisError('LaunchPoolNotStarted')
  if (isMet(depositEndCondition)) throw genesisError('LaunchPoolEnded')
  payDeposit(ctx, accounts, { amount: cost.credited, fee: cost.fee + cost.penalty })

  poolDeposits.save(
    ctx,
    { depositPda, payer: rentPayer },
    {
      ...(deposit ?? { ...created, index: Number(pool.depositId) }),
      timestamp: now,
      amountQuoteToken: (deposit?.amountQuoteToken ?? 0n) + cost.credited,
      weightedQuoteToken: (deposit?.weightedQuoteToken ?? 0n) + cost.weighted,
    },
  )
  const first = deposit ? 0n : 1n
  saveBucket(
    ctx,
    bucket,
    launchPool.serialize({
      ...pool,
      depositStartCondition,
      depositEndCondition,
      depositId: pool.depositId + first,
      depositCount: pool.depositCount + first,
      quoteTokenDepositTotal: pool.quoteTokenDepositTotal + cost.credited,
      weightedQuoteTokenTotal: pool.weightedQuoteTokenTotal + cost.weighted,
      bucket: { ...pool.bucket, quoteTokenBalance: pool.bucket.quoteTokenBalance + cost.credited },
    }),
  )
}

/** The limits apply to a wallet's total deposit, excluding fees, not to each deposit. */
function assertPoolLimits(
  { minimumDepositAmount, depositLimit }: LaunchPoolV2Extensions,
  total: bigint,
): void {
  const limit = unwrapOption(depositLimit)?.limit
  if (limit !== undefined && total > limit) throw genesisError('PresaleDepositLimitExceeded')
  if (total < (unwrapOption(minimumDepositAmount)?.amount ?? 0n))
    throw genesisError('PresaleDepositBelowMinimum')
}

type DepositAccounts = AccountsOf<'deposit'>

/** The checks that a deposit starts with. Returns the wallet that the deposit will belong to. */
export function openDeposit(ctx: Invocation, accounts: DepositAccounts, load = assertFinalized): AccountRef {
  const { quoteMint, bucket, depositor } = accounts
  assertSigner(accounts.rentPayer)
  assertSigner(depositor)
  if (accounts.recipient) assertSigner(accounts.recipient)
  assertPrograms([accounts.baseTokenProgram, accounts.quoteTokenProgram], accounts)
  assertMints(load(ctx, accounts.genesisAccount), accounts)
  assertHolder(ctx, accounts.bucketQuoteTokenAccount, bucket, quoteMint)
  assertHolder(ctx, accounts.depositorQuoteTokenAccount, depositor, quoteMint)
  assertFeeAccount(ctx, accounts.feeQuoteTokenAccount, quoteMint)
  const owner = accounts.recipient ?? depositor
  ensureTokenAccount(ctx, {
    account: accounts.recipientBaseTokenAccount,
    owner,
    mint: accounts.baseMint,
    payer: accounts.rentPayer,
    tokenProgram: accounts.baseTokenProgram,
    systemProgram: accounts.systemProgram,
  })
  return owner
}

/** Takes a deposit and its fee from the depositor. */
export function payDeposit(
  ctx: Invocation,
  accounts: DepositAccounts,
  { amount, fee }: { amount: bigint; fee: bigint },
): void {
  const source = {
    from: accounts.depositorQuoteTokenAccount,
    authority: accounts.depositor,
    tokenProgram: accounts.quoteTokenProgram,
  }
  takeTokens(ctx, { ...source, to: accounts.bucketQuoteTokenAccount }, amount)
  takeTokens(ctx, { ...source, to: accounts.feeQuoteTokenAccount }, fee)
}

/** Deposits quote tokens in a presale. A deposit that exceeds the remaining room is filled partly. */
export function depositInPresale(
  ctx: Invocation,
  { amountQuoteToken }: DepositPresaleV2InstructionData,
): void {
  const accounts = accountsOf(ctx, 'deposit')
  const { bucket, depositPda, rentPayer } = accounts
  // Like a curve, a presale is open before its launch is finalized.
  const owner = openDeposit(ctx, accounts, loadGenesis)
  const now = readUnixTime(ctx)
  const sale = loadBucket(ctx, bucket, accounts.genesisAccount, presale)
  const { deposit, created } = presaleDeposits.find(ctx, { depositPda, bucket, owner })
  const before = deposit?.amountQuoteToken ?? 0n
  if (amountQuoteToken === 0n) throw genesisError('InvalidPresaleDepositAmount')
  const { credited: amount, fee } = costInPresale(readTerms(ctx, bucket, presaleModel), amountQuoteToken)
  // The program makes most of its checks after the transfers.
  payDeposit(ctx, accounts, { amount, fee })
  assertPresaleLimits(sale, { amount, before, lastDeposit: deposit?.timestamp, now })
  const depositStartCondition = triggerIfDue(sale.depositStartCondition, now)
  const depositEndCondition = triggerIfDue(sale.depositEndCondition, now)
  if (!isMet(depositStartCondition)) throw genesisError('PresaleSaleNotStarted')
  if (isMet(depositEndCondition)) throw genesisError('PresaleSaleEnded')
  if (amount === 0n) throw genesisError('PresaleBucketAlreadyFunded')

  presaleDeposits.save(
    ctx,
    { depositPda, payer: rentPayer },
    {
      ...(deposit ?? { ...created, index: Number(sale.depositCount) }),
      timestamp: now,
      amountQuoteToken: before + amount,
    },
  )
  saveBucket(
    ctx,
    bucket,
    presale.serialize({
      ...sale,
      depositStartCondition,
      depositEndCondition,
      depositCount: sale.depositCount + (deposit ? 0n : 1n),
      quoteTokenDepositTotal: sale.quoteTokenDepositTotal + amount,
      bucket: { ...sale.bucket, quoteTokenBalance: sale.bucket.quoteTokenBalance + amount },
    }),
  )
}

/** The minimum and the limit apply to a wallet's total deposit, excluding fees. */
function assertPresaleLimits(
  { extensions }: PresaleBucketV2AccountData,
  {
    amount,
    before,
    lastDeposit,
    now,
  }: Record<'amount' | 'before' | 'now', bigint> & {
    lastDeposit: bigint | undefined
  },
): void {
  const limit = unwrapOption(extensions.depositLimit)?.limit
  if (limit !== undefined && before + amount > limit) throw genesisError('PresaleDepositLimitExceeded')
  const cooldown = unwrapOption(extensions.depositCooldown)?.duration
  if (cooldown !== undefined && lastDeposit !== undefined && now < lastDeposit + cooldown)
    throw genesisError('PresaleDepositCooldownActive')
  const perCooldown = unwrapOption(extensions.perCooldownDepositLimit)?.limit
  if (perCooldown !== undefined && amount > perCooldown)
    throw genesisError('PresalePerCooldownDepositLimitExceeded')
  if (before + amount < (unwrapOption(extensions.minimumDepositAmount)?.amount ?? 0n))
    throw genesisError('PresaleDepositBelowMinimum')
}

type Owner = { readonly depositPda: AccountRef; readonly bucket: AccountRef; readonly owner: AccountRef }
type Finder = (context: typeof umi, seeds: { bucket: PublicKey; recipient: PublicKey }) => Pda

/** The accounts of one kind of deposit: each wallet has one per bucket. */
function depositAccounts<Args, Deposit extends Args & { depositor: PublicKey; bucket: PublicKey }>(
  key: Key,
  serializer: Serializer<Args, Deposit>,
  findPda: Finder,
) {
  /** `deposit` is undefined if the wallet has none. Throws if the account has another address. */
  function find(ctx: Invocation, { depositPda, bucket, owner }: Owner) {
    const seeds = { bucket: asKey(bucket.address), recipient: asKey(owner.address) }
    const [address, bump] = findPda(umi, seeds)
    if (address !== asKey(depositPda.address)) throw genesisError('InvalidDepositPdaDerivation')
    const account = ctx.read(depositPda.address)
    const exists = account?.owner === GENESIS && account.data[0] === key
    return {
      deposit: exists ? serializer.deserialize(account.data)[0] : undefined,
      /** What a new deposit begins with. */
      created: { bump, depositor: seeds.recipient, bucket: seeds.bucket },
    }
  }
  return {
    find,

    load(ctx: Invocation, owner: Owner): Deposit {
      const { deposit } = find(ctx, owner)
      if (!deposit) throw genesisError('InvalidDepositPdaAccount')
      return deposit
    },

    /** Writes a deposit. If it is new, the payer pays its rent. */
    save(
      ctx: Invocation,
      { depositPda, payer }: Record<'depositPda' | 'payer', AccountRef>,
      fields: Partial<Deposit>,
    ): void {
      const data = serializer.serialize({ ...blank(serializer, key), ...fields })
      const account = ctx.read(depositPda.address)
      if (account?.owner === GENESIS) ctx.write(depositPda.address, { ...account, data })
      else createAccount(ctx, { created: depositPda, payer, owner: GENESIS }, data)
    },

    /** Removes a deposit. The payer of the withdrawal gets its rent. */
    close(ctx: Invocation, depositPda: AccountRef, receiver: AccountRef): void {
      const lamports = ctx.read(depositPda.address)?.lamports ?? 0n
      ctx.write(depositPda.address, undefined)
      const account = ctx.read(receiver.address)
      if (account) ctx.write(receiver.address, { ...account, lamports: account.lamports + lamports })
    },
  }
}

export const poolDeposits = depositAccounts(
  Key.LaunchPoolDepositV2,
  getLaunchPoolDepositV2AccountDataSerializer(),
  findLaunchPoolDepositV2Pda,
)
export const presaleDeposits = depositAccounts(
  Key.PresaleDepositV2,
  getPresaleDepositV2AccountDataSerializer(),
  findPresaleDepositV2Pda,
)
