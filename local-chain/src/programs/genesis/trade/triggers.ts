import { type Behavior, BucketTimes, type Condition } from '@metaplex-foundation/genesis'
import { unwrapOption } from '@metaplex-foundation/umi'
import { percentage } from '@slipway/launch-model/fees'
import { assertSigner } from '../../instruction-accounts.ts'
import { type AccountRef, type Invocation, ProgramError } from '../../stand-in.ts'
import { accountsOf, otherAccounts } from '../accounts.ts'
import {
  type AnyBucket,
  bondingCurve,
  encodeBucket,
  launchPool,
  presale,
  raydiumCpmm,
  unlocked,
} from '../buckets.ts'
import {
  asKey,
  assertFinalized,
  assertHolder,
  assertMints,
  assertPrograms,
  type BucketTime,
  genesisError,
  isMet,
  readUnixTime,
  saveBucket,
  triggerIfDue,
} from '../checks.ts'
import { saveGenesis } from '../launch/add-bucket.ts'
import { loadAnyBucket } from '../launch/initialize.ts'
import { moveTokens } from '../tokens.ts'

/**
 * Runs the end behaviors of a sale that is over: sends its proceeds and its last price to other buckets. Anyone may
 * send it. The destinations follow the named accounts, each with its quote token account.
 */
export function triggerBehaviors(ctx: Invocation): void {
  const accounts = accountsOf(ctx, 'triggerBehaviors')
  const { genesisAccount, primaryBucket, primaryBucketQuoteTokenAccount, quoteMint } = accounts
  assertSigner(accounts.payer)
  assertPrograms([accounts.baseTokenProgram, accounts.quoteTokenProgram], accounts)
  const genesis = assertFinalized(ctx, genesisAccount)
  assertMints(genesis, accounts)
  assertHolder(ctx, primaryBucketQuoteTokenAccount, primaryBucket, quoteMint)
  const sale = endSale(loadAnyBucket(ctx, primaryBucket, genesisAccount), readUnixTime(ctx))
  const destinations = loadDestinations(ctx, accounts)

  const proceeds = sale.bucket.quoteTokenBalance
  const failed = missedGoal(sale)
  assertAtMostAll(sale.endBehaviors)
  let sent = 0n
  const endBehaviors = sale.endBehaviors.map(behavior => {
    if (behavior.processed) return behavior
    // The deposits stay where they are, to be refunded.
    if (failed) return { ...behavior, processed: true }
    const destination = destinations.get('destinationBucket' in behavior ? behavior.destinationBucket : '')
    if (!destination) throw genesisError('DestinationBucketNotFound')
    sent += runBehavior(ctx, behavior, sale, proceeds, destination, amount =>
      moveTokens(
        ctx,
        {
          from: primaryBucketQuoteTokenAccount,
          to: destination.quoteTokenAccount,
          authority: primaryBucket,
          tokenProgram: accounts.quoteTokenProgram,
        },
        amount,
      ),
    )
    return { ...behavior, processed: true }
  })
  const bucket = { ...sale.bucket, quoteTokenBalance: proceeds - sent }
  saveBucket(ctx, primaryBucket, encodeBucket({ ...sale, endBehaviors, bucket } as AnyBucket))
  for (const { ref, bucket: changed } of destinations.values()) saveBucket(ctx, ref, encodeBucket(changed))
  saveGenesis(ctx, genesisAccount, {
    ...genesis,
    totalProceedsQuoteToken: genesis.totalProceedsQuoteToken + sent,
  })
}

type Sale = ReturnType<(typeof launchPool | typeof presale | typeof bondingCurve)['blank']>

/** The bucket with its end recorded. Throws if the sale is not over. */
function endSale(bucket: AnyBucket, now: bigint): Sale {
  if (bucket.key === launchPool.key && 'refundCount' in bucket) {
    const depositEndCondition = triggerIfDue(bucket.depositEndCondition, now)
    if (!isMet(depositEndCondition)) throw genesisError('LaunchPoolNotEnded')
    return { ...bucket, depositEndCondition }
  }
  if (bucket.key === bondingCurve.key && 'swapEndCondition' in bucket) {
    const swapEndCondition = triggerIfDue(bucket.swapEndCondition, now)
    if (!isMet(swapEndCondition)) throw genesisError('BondingCurveNotEnded')
    return { ...bucket, swapEndCondition }
  }
  if (bucket.key === presale.key && 'allocationQuoteTokenCap' in bucket) {
    const depositEndCondition = triggerIfDue(bucket.depositEndCondition, now)
    if (!isMet(depositEndCondition)) throw genesisError('PresaleBucketNotEnded')
    return { ...bucket, depositEndCondition }
  }
  throw genesisError('InvalidPrimaryBucket')
}

/** Otherwise the rest would come from the creator's fees, which are in the same token account. */
function assertAtMostAll(behaviors: readonly Behavior[]): void {
  const bps = behaviors.reduce(
    (sum, behavior) => (behavior.__kind === 'SendQuoteTokenPercentage' ? sum + behavior.percentageBps : sum),
    0,
  )
  if (bps > 10_000) throw genesisError('BehaviorPercentageOverflow')
}

function missedGoal(sale: Sale): boolean {
  if (!('refundCount' in sale)) return false
  const threshold = unwrapOption(sale.extensions.minimumQuoteTokenThreshold)?.amount ?? 0n
  return sale.quoteTokenDepositTotal < threshold
}

type Destination = { readonly ref: AccountRef; readonly quoteTokenAccount: AccountRef; bucket: AnyBucket }

function loadDestinations(
  ctx: Invocation,
  {
    genesisAccount,
    primaryBucket,
    quoteMint,
  }: Record<'genesisAccount' | 'primaryBucket' | 'quoteMint', AccountRef>,
): Map<string, Destination> {
  const rest = otherAccounts(ctx, 'triggerBehaviors')
  if (rest.length % 2 !== 0) throw genesisError('InvalidRemainingAccountsLength')
  const destinations = new Map<string, Destination>()
  for (let at = 0; at < rest.length; at += 2) {
    const [ref, quoteTokenAccount] = [rest[at] as AccountRef, rest[at + 1] as AccountRef]
    // The program cannot open one account twice.
    if (ref.address === primaryBucket.address) throw new ProgramError('AccountBorrowFailed')
    const bucket = loadAnyBucket(ctx, ref, genesisAccount)
    // The funds of a future pool wait with the bucket's signer.
    const holder =
      'bucketSigner' in bucket ? { ...ref, address: bucket.bucketSigner as string as never } : ref
    assertHolder(ctx, quoteTokenAccount, holder, quoteMint)
    destinations.set(asKey(ref.address), { ref, quoteTokenAccount, bucket })
  }
  return destinations
}

/** Changes the destination and returns the amount that was sent. */
function runBehavior(
  ctx: Invocation,
  behavior: Behavior,
  sale: Sale,
  proceeds: bigint,
  destination: Destination,
  send: (amount: bigint) => void,
): bigint {
  const { bucket } = destination
  switch (behavior.__kind) {
    case 'SendQuoteTokenPercentage': {
      const amount = percentage(proceeds, BigInt(behavior.percentageBps))
      send(amount)
      if (bucket.key === raydiumCpmm.key && 'quoteTokenInSigner' in bucket)
        destination.bucket = { ...bucket, quoteTokenInSigner: bucket.quoteTokenInSigner + amount }
      else if (bucket.key === unlocked.key && 'recipient' in bucket)
        destination.bucket = {
          ...bucket,
          bucket: { ...bucket.bucket, quoteTokenBalance: bucket.bucket.quoteTokenBalance + amount },
        }
      else throw genesisError('BehaviorNotSupportedForBucketType')
      return amount
    }
    case 'SendStartPrice':
      if (!('priceNumerator' in bucket)) throw genesisError('BehaviorNotSupportedForBucketType')
      destination.bucket = { ...bucket, ...finalPrice(sale) }
      return 0n
    default:
      ctx.log(`The behavior ${behavior.__kind} needs the real program: npm run chain:programs`)
      throw genesisError('InstructionNotImplemented')
  }
}

/** What the last buyer got for the money, as base tokens over quote tokens. */
function finalPrice(sale: Sale): { priceNumerator: bigint; priceDenominator: bigint } {
  if ('constantProductParams' in sale)
    return {
      priceNumerator: sale.constantProductParams.virtualTokens + sale.bucket.baseTokenBalance,
      priceDenominator: sale.constantProductParams.virtualSol + sale.quoteTokenDepositTotal,
    }
  const priceDenominator =
    'allocationQuoteTokenCap' in sale ? sale.allocationQuoteTokenCap : sale.quoteTokenDepositTotal
  if (priceDenominator === 0n) throw genesisError('InvalidAmount')
  return { priceNumerator: sale.bucket.baseTokenAllocation, priceDenominator }
}

/**
 * Records in every condition of a bucket that has come true when it did. Anyone may send it. The buckets that relative
 * conditions refer to are passed after the named accounts, and their own conditions come first.
 */
export function triggerConditions(ctx: Invocation): void {
  const { genesisAccount, bucket, baseMint, payer } = accountsOf(ctx, 'triggerConditions')
  assertSigner(payer)
  const genesis = assertFinalized(ctx, genesisAccount)
  if (genesis.baseMint !== asKey(baseMint.address)) throw genesisError('InvalidMintForGenesisAccount')
  const now = readUnixTime(ctx)
  const references = new Map<string, AnyBucket>()
  const timeOf: BucketTime = (address, time) => findTime(references.get(address), time)
  const trigger = (ref: AccountRef): AnyBucket => {
    const triggered = triggerAll(loadAnyBucket(ctx, ref, genesisAccount), now, timeOf)
    saveBucket(ctx, ref, encodeBucket(triggered))
    return triggered
  }
  for (const ref of otherAccounts(ctx, 'triggerConditions')) {
    // The program cannot open one account twice.
    if (ref.address === bucket.address) throw new ProgramError('AccountBorrowFailed')
    references.set(ref.address, trigger(ref))
  }
  trigger(bucket)
}

/** Goes through all fields, because the conditions of extensions lie deeper than those of the bucket. */
function triggerAll<T>(value: T, now: bigint, timeOf: BucketTime): T {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (isCondition(value)) return triggerIfDue(value, now, timeOf)
  if (Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, triggerAll(field, now, timeOf)]),
  ) as T
}

const isCondition = (value: object): value is Condition => 'triggeredTimestamp' in value && '__kind' in value

const CONDITION_FIELDS: Partial<Record<BucketTimes, string>> = {
  [BucketTimes.DepositStart]: 'depositStartCondition',
  [BucketTimes.DepositEnd]: 'depositEndCondition',
  [BucketTimes.ClaimStart]: 'claimStartCondition',
  [BucketTimes.ClaimEnd]: 'claimEndCondition',
  [BucketTimes.SwapStart]: 'swapStartCondition',
  [BucketTimes.SwapEnd]: 'swapEndCondition',
  [BucketTimes.GraduateStart]: 'startCondition',
  [BucketTimes.Graduate]: 'graduateCondition',
}

function findTime(bucket: AnyBucket | undefined, time: BucketTimes): bigint | undefined {
  const field = CONDITION_FIELDS[time]
  if (!bucket || field === undefined) return undefined
  const condition = (bucket as unknown as Record<string, Condition | undefined>)[field]
  return (condition && unwrapOption(condition.triggeredTimestamp)) ?? undefined
}
