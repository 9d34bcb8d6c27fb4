import { formatAmount } from '@slipway/client'
import type { Call, CallKind } from '@slipway/launch-model/call'
import { setAgentToken } from '@slipway/launch-model/calls/agents'
import { type ArgsOf, finalize, initialize } from '@slipway/launch-model/calls/genesis'
import { openTokenAccount, syncNative, transfer } from '@slipway/launch-model/calls/tokens'
import { swapOnCurve } from '@slipway/launch-model/calls/trades'
import type { BucketTime, Condition } from '@slipway/launch-model/conditions'
import { addCurve, extendCurve, setCurveBehaviors } from '@slipway/launch-model/kinds/bonding-curve'
import type { Behavior, ReleaseSchedule, Schedule } from '@slipway/launch-model/kinds/bucket-parts'
import {
  addLaunchPool,
  extendLaunchPool,
  setLaunchPoolBehaviors,
} from '@slipway/launch-model/kinds/launch-pool'
import { addRaydium, extendRaydium } from '@slipway/launch-model/kinds/raydium-cpmm'
import { addUnlocked } from '@slipway/launch-model/kinds/unlocked'
import type { Address } from '@slipway/launch-model/programs'
import { formatExactly, shorten } from '../lib/format.ts'
import type { Step } from './intent.ts'
import { formatSol, openedAccount } from './words.ts'

type Described = Record<string, string | undefined>
interface Description {
  kind: CallKind
  /** What the instruction is about. */
  title: string
  describe(args: never, units: Units): Described
}

const say = <Args>(
  kind: CallKind<string, Args>,
  title: string,
  describe: (args: Args, units: Units) => Described,
): Description => ({ kind: kind as CallKind, title, describe })

const proceeds = ({ endBehaviors }: ArgsOf<typeof setCurveBehaviors>) => ({
  proceeds: describeBehaviors(endBehaviors),
})
const creatorFees = (fee: { wallet: string } | undefined) => fee && `to ${fee.wallet}`

/** Every instruction that a new launch can have, and what it says. */
const DESCRIPTIONS: readonly Description[] = [
  say(initialize, 'token and launch', ({ name, symbol, totalSupply, decimals, uri }, units) => ({
    name,
    symbol,
    supply: tokens(totalSupply, units),
    decimals: `${decimals}`,
    ...(uri && { document: uri }),
  })),
  say(addLaunchPool, 'launch pool', ({ baseTokenAllocation, conditions }, units) => ({
    amount: tokens(baseTokenAllocation, units),
    'deposits open': describeCondition(conditions.DepositStart),
    'deposits close': describeCondition(conditions.DepositEnd),
    'claims open': describeCondition(conditions.ClaimStart),
    'claims close': describeCondition(conditions.ClaimEnd),
  })),
  say(
    extendLaunchPool,
    'terms of the launch pool',
    ({ minimumQuoteTokenThreshold: goal, bonusSchedule, withdrawPenalty, claimSchedule }, units) => ({
      'deposit bonus': bonusSchedule && describeSchedule(bonusSchedule),
      'withdrawal penalty': withdrawPenalty && describeSchedule(withdrawPenalty),
      goal: goal === undefined ? undefined : quote(goal, units),
      tokens: claimSchedule && describeLock(claimSchedule),
    }),
  ),
  say(setLaunchPoolBehaviors, 'proceeds', proceeds),
  say(addCurve, 'bonding curve', ({ baseTokenAllocation, conditions, virtualReserves }, units) => ({
    amount: tokens(baseTokenAllocation, units),
    'trading opens': describeCondition(conditions.SwapStart),
    'trading closes': describeCondition(conditions.SwapEnd),
    'virtual reserve': quote(virtualReserves.quote, units),
    'virtual tokens': tokens(virtualReserves.base, units),
  })),
  say(extendCurve, 'terms of the bonding curve', ({ firstBuy, creatorFee }, units) => ({
    'first buy': firstBuy && `by ${firstBuy.buyer} for ${quote(firstBuy.amount, units)}`,
    'creator fees': creatorFees(creatorFee),
  })),
  say(setCurveBehaviors, 'proceeds', proceeds),
  say(addRaydium, 'liquidity pool', ({ baseTokenAllocation, conditions }, units) => ({
    amount: tokens(baseTokenAllocation, units),
    'pool opens': describeCondition(conditions.GraduateStart),
  })),
  say(extendRaydium, 'terms of the liquidity pool', ({ lpLockSchedule, creatorFee }) => ({
    liquidity: lpLockSchedule && describeLock(lpLockSchedule),
    'creator fees': creatorFees(creatorFee),
  })),
  say(addUnlocked, 'tokens for a wallet', ({ baseTokenAllocation, conditions }, units) => ({
    amount: tokens(baseTokenAllocation, units),
    'claims open': describeCondition(conditions.ClaimStart),
    'claims close': describeCondition(conditions.ClaimEnd),
  })),
  say(finalize, 'finalization', () => ({})),
  say(swapOnCurve, 'first buy', ({ amountIn, amountOutMin }, units) => ({
    price: quote(amountIn, units),
    'at least': tokens(amountOutMin, units),
  })),
  say(setAgentToken, 'agent’s token', () => ({})),
  say(openTokenAccount, 'token account', () => ({})),
  say(transfer, 'transfer of SOL', () => ({})),
  say(syncNative, 'wrapped SOL', () => ({})),
]

export const LAUNCH_CALLS: readonly CallKind[] = DESCRIPTIONS.map(({ kind }) => kind)

export const nameCall = (kind: CallKind): string =>
  DESCRIPTIONS.find(one => one.kind === kind)?.title ?? kind.name

export function describeArgs({ kind, args }: Pick<Call, 'kind' | 'args'>, units: Units): Fields {
  const described = DESCRIPTIONS.find(one => one.kind === kind)?.describe(args as never, units) ?? {}
  return Object.fromEntries(
    Object.entries(described).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** The position of the recipient among the accounts of a part. */
const RECIPIENT = 7

interface Naming {
  units: Units
  /** What to call addresses. */
  names: ReadonlyMap<Address, string>
  /** Which share of the proceeds the person has entered for a bucket. */
  shares: ReadonlyMap<Address, string>
  wallet: Address
}

/** Says what an action of a launch does. The text is for most people; the detail has everything that the bytes say. */
export function describeCall(call: Call, { units, names, shares, wallet }: Naming): Step {
  const { name } = call.kind
  const accounts = call.accounts.map(({ address }) => address)
  const at = (index: number) => accounts[index] as Address
  const fields = describeArgs(call, units)
  const facts = Object.entries(fields).map(([label, value]) => `${label} ${value}`)
  const rename = (text: string) =>
    text.replace(ADDRESS, address => names.get(address as Address) ?? shorten(address))
  const detail = [...facts, `accounts ${accounts.join(' ')}`].join('; ')
  const step = (text: string): Step => ({ text: rename(text), detail })
  switch (name) {
    case 'initialize':
      // The name is the person's own text, so nothing in it is replaced.
      return {
        text: `Create the token “${fields.name}” (${fields.symbol}) with a supply of ${fields.supply}, and its launch`,
        detail,
      }
    case 'addLaunchPool':
      return step(
        `Offer ${fields.amount} in a launch pool. Deposits ${times('open', fields['deposits open'])} and ${times('close', fields['deposits close'])}`,
      )
    case 'addCurve':
      return step(
        `Offer ${fields.amount} on a bonding curve. Trading ${times('opens', fields['trading opens'])} and ${times('closes', fields['trading closes'] === TRIGGERED ? SOLD_OUT : fields['trading closes'])}`,
      )
    case 'extendLaunchPool':
      return step(`Set the terms of the launch pool: ${describeTerms(fields)}`)
    case 'extendCurve':
      return step(`Set the terms of the bonding curve: ${describeTerms(fields)}`)
    case 'extendRaydium':
      return step(`Set the terms of the liquidity pool: ${describeTerms(fields)}`)
    case 'setLaunchPoolBehaviors':
    case 'setCurveBehaviors':
      return step(describeProceeds(fields.proceeds as string))
    case 'finalize':
      return step('Finalize the launch, after which it can’t change')
    case 'swapOnCurve':
      return step(`Buy ${fields['at least']} or more for ${fields.price}, before anyone else`)
    case 'addUnlocked':
      return step(
        `Let ${accounts[RECIPIENT]} claim ${describeClaim(fields.amount as string, findShare(accounts, shares))}. Claims ${times('open', fields['claims open'])} and ${times('close', fields['claims close'])}`,
      )
    case 'addRaydium':
      return step(
        `Set aside ${fields.amount} for a liquidity pool, which ${times('can open', fields['pool opens'])}`,
      )
    case 'openTokenAccount':
      return openedAccount({ mint: at(3), program: at(5) }, at(2), { payer: wallet, names })
    case 'transfer': {
      const { lamports } = call.args as { lamports: bigint }
      return {
        text: `Set aside ${formatSol(lamports)} from your wallet for the first buy`,
        detail: `From ${at(0)} to ${at(1)}`,
        ...(at(0) === wallet && { movedLamports: lamports }),
      }
    }
    case 'syncNative':
      return {
        text: 'Turn it into wrapped SOL, which pays for the first buy',
        detail: `Account ${at(0)}. It stays open with its rent, which its owner gets back by closing it`,
      }
    case 'setAgentToken':
      return {
        text: 'Make the new token the agent’s own, for good',
        detail: call.accounts.map(account => `${account.name} ${account.address}`).join(', '),
      }
    default:
      throw new RangeError(`no words for ${name}`)
  }
}

/** The purchase that empties a curve triggers its end. */
const SOLD_OUT = 'when the last token is sold'

const describeTerms = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => TERMS[name]?.(value) ?? `${name} ${value}`)
    .join('; ')

/** Sentences for fields that can't be read as they are. Creator fees go `to` an address. */
const TERMS: Record<string, (value: string) => string> = {
  'first buy': value => value.replace(/^by (\S+) for /, 'the first buy is reserved for $1, which pays '),
  'creator fees': value => `creator fees go ${value}`,
  liquidity: value => `the liquidity is ${value.startsWith(LOCKED_FOR_GOOD) ? LOCKED_FOR_GOOD : value}`,
}

/** A pool gets its share, and opens at the price that the sale has reached. */
function describeProceeds(proceeds: string): string {
  const parts = proceeds.split(', ')
  const shares = parts.filter(part => part !== '' && !part.startsWith(OPENING_PRICE))
  const pools = parts
    .filter(part => part.startsWith(OPENING_PRICE))
    .map(part => part.slice(OPENING_PRICE.length))
  const sent = shares.length > 0 ? `Send the proceeds of the sale: ${shares.join(', ')}` : 'Send no proceeds'
  return pools.length > 0 ? `${sent}. The sale sets the opening price of ${pools.join(' and ')}` : sent
}

const findShare = (accounts: readonly Address[], shares: ReadonlyMap<Address, string>): string | undefined =>
  accounts.flatMap(account => shares.get(account) ?? [])[0]

/** Shares are set by another instruction, which is compared with the entered ones. */
function describeClaim(amount: string, share: string | undefined): string {
  const proceeds = share && `the ${share} of the proceeds that you entered`
  if (amount !== '0 tokens') return proceeds ? `${amount} and ${proceeds}` : amount
  return proceeds ?? 'nothing'
}

/** `close never` is `never close`. */
const times = (verb: string, when: string | undefined): string =>
  when === 'never' ? `never ${verb}` : `${verb} ${when}`

const ADDRESS = /\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g

/** Decimals of the new token and of the payment token, and what the latter is called. */
export interface Units {
  base: number
  quote: number
  quoteSymbol: string
}

/** What an instruction says, in words. Nothing is rounded or shortened. */
export type Fields = Record<string, string>

const tokens = (amount: bigint, { base }: Units): string => `${formatExactly(amount, base)} tokens`
const quote = (amount: bigint, { quote, quoteSymbol }: Units): string =>
  `${formatExactly(amount, quote)} ${quoteSymbol}`

export const percent = (bps: bigint): string => `${formatAmount(bps, 2)}%`

/** The times of a bucket. */
const EVENTS: Record<BucketTime, string> = {
  DepositStart: 'the start of deposits',
  DepositEnd: 'the end of deposits',
  ClaimStart: 'the start of claims',
  ClaimEnd: 'the end of claims',
  SwapStart: 'the start of trading',
  SwapEnd: 'the end of trading',
  LockStart: 'the start of the lock',
  LockEnd: 'the end of the lock',
  GraduateStart: 'the opening',
  Graduate: 'the graduation',
}

const TRIGGERED = 'when a transaction triggers it'

function describeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'TimeAbsolute':
      return describeTime(condition.time)
    case 'TimeRelative': {
      const { bucket, bucketTime, timeOffset } = condition
      const event = `${EVENTS[bucketTime]} of ${bucket}`
      if (timeOffset === 0n) return `at ${event}`
      return timeOffset > 0n
        ? `${formatDuration(timeOffset)} after ${event}`
        : `${formatDuration(-timeOffset)} before ${event}`
    }
    case 'Triggered':
      return TRIGGERED
    case 'Never':
      return 'never'
    case 'Always':
      return 'at once'
    case 'Uninitialized':
      return 'at a time that is not set'
  }
}

/** The last second of the year 9999. */
const TIME_MAX = 253_402_300_799n

function describeTime(seconds: bigint): string {
  if (seconds < 0n || seconds > TIME_MAX) return `at the time ${seconds}`
  const [date, time] = new Date(Number(seconds) * 1_000).toISOString().split('T') as [string, string]
  return `on ${date} at ${time.slice(0, 8)} UTC`
}

const DAY = 86_400n

/** `93784` becomes `1 d 2 h 3 m 4 s`. */
function formatDuration(seconds: bigint): string {
  if (seconds < 1n) return `${seconds} s`
  const parts: [bigint, string][] = [
    [seconds / DAY, 'd'],
    [(seconds % DAY) / 3_600n, 'h'],
    [(seconds % 3_600n) / 60n, 'm'],
    [seconds % 60n, 's'],
  ]
  return parts.flatMap(([amount, unit]) => (amount > 0n ? `${amount} ${unit}` : [])).join(' ')
}

const describeSchedule = ({ slopeBps, interceptBps, maxBps, start, duration: seconds }: Schedule): string =>
  `from ${percent(interceptBps)} to ${percent(interceptBps + slopeBps)}, at most ${percent(maxBps)}, over ${formatDuration(seconds)}, starting ${describeCondition(start)}`

const LOCKED_FOR_GOOD = 'locked for good'

function describeLock({ start, duration, period, cliff, cliffAmountBps }: ReleaseSchedule): string {
  const release = `every ${formatDuration(period)} for ${formatDuration(duration)}`
  const first = `${percent(BigInt(cliffAmountBps))} ${describeCondition(cliff)}`
  return start.kind === 'Never'
    ? `${LOCKED_FOR_GOOD} (release ${release}, first ${first})`
    : `released ${release}, starting ${describeCondition(start)}, first ${first}`
}

const OPENING_PRICE = 'the opening price to '

const describeBehaviors = (behaviors: readonly Behavior[]): string =>
  behaviors.map(describeBehavior).join(', ')

function describeBehavior(behavior: Behavior): string {
  switch (behavior.kind) {
    case 'SendStartPrice':
      return `${OPENING_PRICE}${behavior.bucket}`
    case 'SendQuoteTokenPercentage':
      return `${percent(BigInt(behavior.percentageBps))} to ${behavior.bucket}`
    default:
      return `something that this page doesn’t know (${behavior.kind})`
  }
}
