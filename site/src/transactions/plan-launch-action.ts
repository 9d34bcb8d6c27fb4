import { isOfKind } from '@slipway/launch-model/call'
import { triggerBehaviors, triggerConditions } from '@slipway/launch-model/calls/deposits'
import { GRADUATE_UNITS, graduateCall, graduateToPool } from '@slipway/launch-model/calls/graduate'
import { openTokenAccount, transfer } from '@slipway/launch-model/calls/tokens'
import { SWAPS_IN_POOL, swapOnCurve } from '@slipway/launch-model/calls/trades'
import { endTriggers } from '@slipway/launch-model/end-of-sale'
import { BUCKET_KINDS, type BucketKindName, kindOf } from '@slipway/launch-model/kinds/kinds'
import { claimUnlocked } from '@slipway/launch-model/kinds/unlocked'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { resolveLaunchTimes } from '@slipway/launch-model/launch-times'
import {
  inOneTransaction,
  planDeposit,
  planOwed,
  planTrigger,
  planWithdrawal,
  type StepGroup,
  type Taking,
} from '@slipway/launch-model/plan-deposit'
import type { Owed } from '@slipway/launch-model/position'
import {
  type AnyBucket,
  conditionsOf,
  type NamedBucket,
  type PlacedBucket,
  type Trigger,
} from '@slipway/launch-model/position-accounts'
import {
  type Address,
  COMPUTE_BUDGET_PROGRAM,
  GENESIS_FEE_WALLET,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import { planSwap, type Swap } from '@slipway/launch-model/trade/plan-swap'
import { recordDue } from '@slipway/launch-model/triggers'
import { plural, shorten } from '../lib/format.ts'
import type { Planned } from './assert-planned.ts'
import { argsIn, type Instruction, refuseInstruction } from './decode-transaction.ts'
import { type Facts, type LaunchFacts, tokenIn } from './facts.ts'
import { type Intent, type LaunchTokens, refuse, type Step } from './intent.ts'
import { nameBase } from './name-base.ts'
import { describeFunds, formatBase, formatQuote, sayBase, sayQuote } from './words.ts'

type IntentOf<Kind extends string> = Extract<Intent<Address>, { kind: Kind }>
export type LaunchAction = IntentOf<'swap' | 'deposit' | 'withdraw-deposit' | 'claim-launch' | 'graduate'>

/** A launch, what the wallet has in it, and the instructions that were given. */
interface Situation {
  launch: LaunchFacts
  taking: Taking
  given: readonly Instruction[]
  facts: Facts
}

/**
 * What the person asked for, planned again. Only what is left to the service is taken from the given instructions: how
 * much of what was asked for is possible, within the limits of the intent, and which of the triggers that anyone may
 * send come first.
 */
export function planLaunchAction(
  given: readonly Instruction[],
  intent: LaunchAction,
  wallet: Address,
  facts: Facts,
): Planned {
  const launch = facts.launch ?? refuse('The launch can’t be read from the chain.')
  const situation = { launch, given, facts, taking: takingOf(given, intent, wallet, facts) }
  switch (intent.kind) {
    case 'swap':
      return planTrade(situation, intent)
    case 'deposit':
      return planDepositing(situation, intent)
    case 'withdraw-deposit':
      return planWithdrawing(situation, intent)
    case 'claim-launch':
    case 'graduate':
      return planPayments(situation, intent)
  }
}

/** The connected wallet's accounts. An account may be opened that exists: then the instruction does nothing. */
function takingOf(
  given: readonly Instruction[],
  { genesis, baseMint, baseDecimals, quoteMint, quoteDecimals }: LaunchTokens<Address>,
  wallet: Address,
  facts: Facts,
): Taking {
  const opens = (mint: Address) =>
    given.some(
      one => isOfKind(openTokenAccount, one) && one.accounts[2] === wallet && one.accounts[3] === mint,
    )
  const { wrapped } = facts
  if (wrapped && wrapped.holder !== wallet) refuse('Your account for wrapped SOL belongs to another wallet.')
  const others = opens(quoteMint) ? undefined : { amount: 0n, isDelegated: false }
  return {
    genesis,
    tokens: { base: tokenIn(facts, baseMint, baseDecimals), quote: tokenIn(facts, quoteMint, quoteDecimals) },
    trader: wallet,
    payer: wallet,
    isAgent: false,
    holds: { hasBase: !opens(baseMint), quote: quoteMint === WRAPPED_NATIVE_MINT ? wrapped : others },
    accountRent: facts.accountRent,
    priorityFee: 0n,
  }
}

const isNative = ({ tokens }: Pick<Taking, 'tokens'>) => tokens.quote.mint === WRAPPED_NATIVE_MINT

/** The program opens the wallet's account for the token by itself. */
const describeQuoteFunds = (taking: Taking, arrives = true) =>
  describeFunds({ ...taking, holds: { ...taking.holds, hasBase: true } }, { isUnwrapped: true, arrives })

/** One trade on the launch's curve or in its pool, with native currency wrapped before it and unwrapped after it. */
function planTrade({ launch, given, facts, taking }: Situation, intent: IntentOf<'swap'>): Planned {
  const times = resolveLaunchTimes(launch.accounts.buckets)
  const pool = launch.pool?.named
  const amounts =
    argsIn(given, pool ? SWAPS_IN_POOL[facts.environment] : swapOnCurve) ??
    refuse('The transaction has no trade.')
  if (!times || (times.graduated && !pool)) return refuse('The chain doesn’t show where this launch trades.')
  assertAmounts(amounts, intent)
  const swap: Swap = {
    ...taking,
    ...{ amountIn: amounts.amountIn, amountOutMin: amounts.amountOutMin },
    side: intent.side,
    at: pool ? { pool } : { curve: times.primary.address },
  }
  const isBuy = intent.side === 'buy'
  const [paid, received] = isBuy
    ? [formatQuote(amounts.amountIn, intent), formatBase(amounts.amountOutMin, intent)]
    : [formatBase(amounts.amountIn, intent), formatQuote(amounts.amountOutMin, intent)]
  const trade: Step = {
    text: `${isBuy ? 'Pay' : 'Sell'} ${paid} for at least ${received}`,
    detail: pool
      ? `In the pool ${pool.address} of the launch ${intent.genesis}, token ${intent.baseMint}, vaults ${pool.vault0} and ${pool.vault1}, configuration ${pool.config}, price history ${pool.observation}`
      : `On the bonding curve ${times.primary.address} of the launch ${intent.genesis}, token ${intent.baseMint}`,
    isMinor: true,
    payment: [
      { label: isBuy ? 'You pay' : 'You sell', amount: paid },
      {
        label: 'You get at least',
        amount: (isBuy ? sayBase : sayQuote)(amounts.amountOutMin, intent),
        isLeast: true,
      },
    ],
    ...(isBuy && isNative(taking) && { movedLamports: amounts.amountIn }),
  }
  const name = intent.baseSymbol && nameBase(intent)
  return {
    steps: planSwap(swap),
    says: [trade, ...describeFunds(swap, { isUnwrapped: !isBuy, name })],
  }
}

/** A curve that is almost sold out takes less. Paying less for the same amount does no harm. */
function assertAmounts(
  { amountIn, amountOutMin }: { amountIn: bigint; amountOutMin: bigint },
  intent: IntentOf<'swap'>,
): void {
  const [paid, received] =
    intent.side === 'buy' ? ([formatQuote, formatBase] as const) : ([formatBase, formatQuote] as const)
  if (amountIn > intent.amountIn)
    refuse(`The transaction pays ${paid(amountIn, intent)}. You asked for ${paid(intent.amountIn, intent)}.`)
  if (amountOutMin < intent.minAmountOut)
    refuse(
      `The transaction may give as little as ${received(amountOutMin, intent)}. This page showed at least ${received(intent.minAmountOut, intent)}.`,
    )
}

/** The bucket that takes deposits. Refuses another amount than was asked for. */
function findDeposits(
  { launch, given }: Situation,
  intent: IntentOf<'deposit' | 'withdraw-deposit'>,
): PlacedBucket {
  const primary = resolveLaunchTimes(launch.accounts.buckets)?.primary
  const isDeposit = intent.kind === 'deposit'
  const call = primary && kindOf(primary.kind).deposits?.calls[isDeposit ? 'deposit' : 'withdraw']
  const args = call && argsIn(given, call)
  if (!args) return refuse(`The transaction has no ${isDeposit ? 'deposit' : 'withdrawal'}.`)
  const { amount } = args as { amount: bigint }
  if (amount !== intent.amount)
    refuse(
      `The transaction ${isDeposit ? 'deposits' : 'withdraws'} ${formatQuote(amount, intent)}. You asked for ${formatQuote(intent.amount, intent)}.`,
    )
  return primary
}

/** One deposit, with native currency wrapped before it. Conditions that have come true may have to be recorded first. */
function planDepositing(situation: Situation, intent: IntentOf<'deposit'>): Planned {
  const { given, taking } = situation
  const { amount } = intent
  const bucket = findDeposits(situation, intent)
  const mayReopen = taking.holds.quote !== undefined && !taking.holds.quote.isDelegated
  // A penalty may begin before it lands, so it may wrap more than the deposit costs now.
  const transferred = (isNative(taking) && argsIn(given, transfer)?.lamports) || 0n
  const wraps = mayReopen && transferred > 0n ? transferred - taking.accountRent : transferred
  if (wraps > intent.maxCost)
    refuse(
      `The transaction takes ${formatQuote(wraps, intent)} from your wallet. This page showed at most ${formatQuote(intent.maxCost, intent)}.`,
    )
  if (isNative(taking) && wraps < amount && !intent.isPartial)
    refuse(
      `The transaction wraps only ${formatQuote(wraps, intent)} for a deposit of ${formatQuote(amount, intent)}.`,
    )
  const triggers = given.filter(isTrigger).map(one => planGivenTrigger(situation, intent, one))
  const groups = [...triggers.map(({ group }) => group), planDeposit(taking, bucket, { amount, wraps })]
  // Only what the transaction wraps can be spent, unless the account holds more already.
  const extra =
    !isNative(taking) || taking.holds.quote?.isDelegated
      ? ', plus any penalty of the launch'
      : wraps > amount
        ? `, and pay at most ${formatQuote(wraps - amount, intent)} on top as a penalty`
        : ''
  const deposit: Step = {
    // A penalty without a limit in the bytes is said in the text alone.
    isMinor: isNative(taking) && !taking.holds.quote?.isDelegated,
    payment: [
      isNative(taking) && wraps < amount
        ? { label: 'You deposit at most', amount: formatQuote(wraps, intent) }
        : { label: 'You deposit', amount: formatQuote(amount, intent) },
      ...(wraps > amount
        ? [{ label: 'Penalty on top, at most', amount: formatQuote(wraps - amount, intent) }]
        : []),
    ],
    text: `Deposit ${formatQuote(amount, intent)} in the ${wordsOf(bucket.kind).noun} ${shorten(bucket.address)}${extra}`,
    detail: `From ${taking.trader} to ${bucket.address} of the launch ${intent.genesis}, token ${intent.baseMint}${isNative(taking) ? `. It wraps at most ${formatQuote(wraps, intent)} for it` : ''}`,
    ...(isNative(taking) && { movedLamports: wraps }),
  }
  return {
    steps: inOneTransaction(groups, taking),
    says: [...triggers.map(({ says }) => says), deposit, ...describeQuoteFunds(taking, wraps > amount)],
  }
}

/** One withdrawal. What arrives is unwrapped. */
function planWithdrawing(situation: Situation, intent: IntentOf<'withdraw-deposit'>): Planned {
  const { taking } = situation
  const bucket = findDeposits(situation, intent)
  const amount = formatQuote(intent.amount, intent)
  return {
    steps: inOneTransaction([planWithdrawal(taking, bucket, intent.amount)], taking),
    says: [
      {
        isMinor: true,
        payment: [{ label: 'You withdraw', amount }],
        text: `Take ${amount} out of your deposit in the ${wordsOf(bucket.kind).noun} ${shorten(bucket.address)}, less fee and penalty`,
        detail: `From ${bucket.address} of the launch ${intent.genesis} to ${taking.trader}, token ${intent.baseMint}`,
      },
      ...describeQuoteFunds(taking),
    ],
  }
}

/** Everything that a launch owes the connected wallet, or its pool, and the triggers before them. */
function planPayments(situation: Situation, intent: IntentOf<'claim-launch' | 'graduate'>): Planned {
  const { given, taking } = situation
  const groups: StepGroup[] = []
  const says: Step[] = []
  let at = given.findIndex(({ program }) => program !== COMPUTE_BUDGET_PROGRAM)
  if (at === -1) refuse('The transaction does nothing.')
  while (at < given.length) {
    const first = given[at] as Instruction
    const next = isTrigger(first) ? planGivenTrigger(situation, intent, first) : undefined
    const paid = next ?? planPayment(situation, intent, given.slice(at))
    groups.push(paid.group)
    says.push(...[paid.says].flat())
    at += paid.group.steps.length
  }
  return { steps: inOneTransaction(groups, taking), says }
}

type Part = { group: StepGroup; says: Step | Step[] }

function planPayment(
  situation: Situation,
  intent: IntentOf<'claim-launch' | 'graduate'>,
  rest: readonly Instruction[],
): Part {
  if (intent.kind === 'graduate') return planPool(situation, intent, rest)
  const { launch, taking } = situation
  const main = rest[isOfKind(openTokenAccount, rest[0] as Instruction) ? 1 : 0]
  const payment = main && findPayment(main)
  if (!payment) return refuseInstruction()
  const bucket = findBucket(launch, main.accounts[1])
  const owed = { kind: payment, bucket, triggers: [], tokens: 0n, quote: 0n }
  const hasFeeAccount = rest[0]?.accounts[2] !== GENESIS_FEE_WALLET
  const [group] = planOwed(taking, owed, { unwraps: payment === 'refund', hasFeeAccount })
  const source = `the ${wordsOf(bucket.kind).noun} ${shorten(bucket.address)}`
  const texts = {
    claim: `Claim what ${source} owes your wallet, in ${nameBase(intent)}`,
    unlocked: `Claim the tokens and the proceeds that ${source} has for your wallet`,
    refund: `Refund your deposit in ${source}, less the deposit fee`,
  }
  return {
    group: group as StepGroup,
    says: [
      {
        isMinor: true,
        text: texts[payment],
        detail: `From ${bucket.address} of the launch ${intent.genesis} to ${taking.trader}, token ${intent.baseMint}`,
      },
      ...(payment === 'refund' ? describeQuoteFunds(taking) : []),
    ],
  }
}

function findPayment(instruction: Instruction): Exclude<Owed['kind'], 'start'> | undefined {
  if (isOfKind(claimUnlocked, instruction)) return 'unlocked'
  for (const { name } of BUCKET_KINDS) {
    const calls = kindOf(name).deposits?.calls
    if (calls && isOfKind(calls.claim, instruction)) return 'claim'
    if (calls?.refund && isOfKind(calls.refund, instruction)) return 'refund'
  }
  return undefined
}

/** The creation of the launch's pool, which comes last. */
function planPool(
  { launch, taking, facts }: Situation,
  intent: IntentOf<'graduate'>,
  rest: readonly Instruction[],
): Part {
  if (rest.length > 1) refuse('The transaction does more than create the pool.')
  if (!isOfKind(graduateToPool, rest[0] as Instruction)) refuseInstruction()
  const bucket = launch.accounts.buckets.find(({ kind }) => kind === 'raydiumCpmmV2')
  if (!bucket) return refuse('This launch does not become a pool.')
  const { genesis, tokens, payer } = taking
  const paysCreator = bucket.creatorFee !== undefined
  const { environment } = facts
  const call = graduateCall({ genesis, bucket: bucket.address, tokens, environment, paysCreator, payer })
  const [pool, config] = [call.accounts[12]?.address, call.accounts[13]?.address]
  return {
    group: { units: GRADUATE_UNITS, steps: [{ call, byAgent: false }] },
    says: {
      text: `Create the launch’s liquidity pool with its tokens and proceeds, and pay Raydium’s fee and the rent for it`,
      detail: `Pool ${pool} from ${shorten(bucket.address)} of the launch ${intent.genesis}, token ${intent.baseMint}, configuration ${config}${paysCreator ? ', which pays the creator fees' : ''}`,
    },
  }
}

function isTrigger(one: Instruction): boolean {
  return isOfKind(triggerConditions, one) || isOfKind(triggerBehaviors, one)
}

/** A trigger that anyone may send. It moves no funds of the wallet. */
function planGivenTrigger(
  { launch, taking }: Situation,
  { genesis }: LaunchTokens<Address>,
  given: Instruction,
): { group: StepGroup; says: Step } {
  const isConditions = isOfKind(triggerConditions, given)
  const bucket = findBucket(launch, given.accounts[isConditions ? 1 : 2])
  const trigger = isConditions ? conditionsOf(launch.accounts, bucket) : endOf(launch, bucket)
  const group = planTrigger(taking, trigger)
  const { noun } = wordsOf(bucket.kind)
  if (trigger.kind === 'conditions')
    return {
      group,
      says: {
        isMinor: true,
        text: `Note in the ${noun} ${shorten(bucket.address)} that its conditions are met`,
        detail: `Bucket ${bucket.address} of the launch ${genesis}, with ${trigger.references.join(', ') || 'no others'}`,
      },
    }
  return {
    group,
    says: {
      isMinor: true,
      text: `Pay what the ${noun} raised ${describeDestinations(trigger.destinations)}`,
      detail: `From ${bucket.address} of the launch ${genesis} to ${trigger.destinations.map(({ address }) => address).join(', ')}`,
    },
  }
}

/** The trigger that sends the proceeds of a sale. */
function endOf({ accounts }: LaunchFacts, sale: AnyBucket): Trigger {
  const recorded = recordDue<AnyBucket>(
    [...accounts.buckets, ...accounts.unlocked],
    BigInt(accounts.nowSeconds),
  )
  const after = recorded.find(({ address }) => address === sale.address)
  const triggers = endTriggers(accounts, sale as PlacedBucket, after as PlacedBucket)
  return (
    triggers.find(({ kind }) => kind === 'behaviors') ??
    refuse('The transaction pays out what the launch raised, which the chain doesn’t show as due.')
  )
}

function describeDestinations(destinations: readonly NamedBucket[]): string {
  const others = destinations.filter(({ kind }) => kind !== 'raydiumCpmmV2')
  if (others.length === 0) return 'into the new pool'
  const parts = plural(others.length, 'other part')
  return others.length < destinations.length
    ? `into the new pool and ${parts} of the launch`
    : `into ${parts} of the launch`
}

/** Refuses an address that is not one of the launch's buckets. */
const findBucket = (
  { accounts }: LaunchFacts,
  address: Address | undefined,
): AnyBucket & { kind: BucketKindName } =>
  [...accounts.buckets, ...accounts.unlocked].find(bucket => bucket.address === address) ??
  refuse(`The transaction names ${address}, which isn’t a part of this launch.`)
