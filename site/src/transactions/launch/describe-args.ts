import type { Call, CallKind } from '@slipway/launch-model/call'
import { setAgentToken } from '@slipway/launch-model/calls/agents'
import { type ArgsOf, finalize, initialize } from '@slipway/launch-model/calls/genesis'
import { openTokenAccount, syncNative, transfer } from '@slipway/launch-model/calls/tokens'
import { swapOnCurve } from '@slipway/launch-model/calls/trades'
import { addCurve, extendCurve, setCurveBehaviors } from '@slipway/launch-model/kinds/bonding-curve'
import {
  addLaunchPool,
  extendLaunchPool,
  setLaunchPoolBehaviors,
} from '@slipway/launch-model/kinds/launch-pool'
import { addRaydium, extendRaydium } from '@slipway/launch-model/kinds/raydium-cpmm'
import { addUnlocked } from '@slipway/launch-model/kinds/unlocked'
import {
  describeBehaviors,
  describeLock,
  describeSchedule,
  type Fields,
  quote,
  tokens,
  type Units,
  describeCondition as when,
} from './describe-fields.ts'

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
    'deposits open': when(conditions.DepositStart),
    'deposits close': when(conditions.DepositEnd),
    'claims open': when(conditions.ClaimStart),
    'claims close': when(conditions.ClaimEnd),
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
    'trading opens': when(conditions.SwapStart),
    'trading closes': when(conditions.SwapEnd),
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
    'pool opens': when(conditions.GraduateStart),
  })),
  say(extendRaydium, 'terms of the liquidity pool', ({ lpLockSchedule, creatorFee }) => ({
    liquidity: lpLockSchedule && describeLock(lpLockSchedule),
    'creator fees': creatorFees(creatorFee),
  })),
  say(addUnlocked, 'tokens for a wallet', ({ baseTokenAllocation, conditions }, units) => ({
    amount: tokens(baseTokenAllocation, units),
    'claims open': when(conditions.ClaimStart),
    'claims close': when(conditions.ClaimEnd),
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
