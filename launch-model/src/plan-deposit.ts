import type { Address } from '@slipway/schema/address'
import {
  claimDepositCall,
  claimUnlockedCall,
  depositCall,
  type NamedBucket,
  refundCall,
  triggerBehaviorsCall,
  triggerConditionsCall,
  withdrawCall,
} from './calls/deposits.ts'
import { kindOf } from './kinds/kinds.ts'
import type { Owed } from './position.ts'
import type { Trigger } from './position-accounts.ts'
import { GENESIS_FEE_WALLET } from './programs.ts'
import { type Funds, fundsSteps, type Step } from './trade/wrap-native.ts'

/** Instructions that must run in one transaction, and their compute limit. */
export interface StepGroup {
  steps: Step[]
  units: number
}

/** Makes these run in one transaction. */
export const together = (groups: readonly StepGroup[]): StepGroup => ({
  steps: groups.flatMap(({ steps }) => steps),
  units: groups.reduce((sum, { units }) => sum + units, 0),
})

/** The accounts that every transaction about a deposit uses. */
export interface Taking extends Funds {
  genesis: Address
}

/**
 * Each limit is more than twice the highest use measured on the real programs, plus 10,000 for each token
 * instruction, because the tests' token program uses less than the chain's. Every transaction gets 50,000 more for
 * guards that a wallet may add.
 */
export const UNITS = {
  deposit: { wallet: 400_000, agent: 600_000 },
  withdraw: { wallet: 300_000, agent: 480_000 },
  claim: 200_000,
  refund: { wallet: 240_000, agent: 400_000 },
  unlocked: 200_000,
  conditions: 100_000,
  behaviors: 140_000,
  openAccount: 70_000,
  /**
   * For each bucket that conditions refer to, and each one after the first that is paid, with two token instructions.
   */
  reference: 30_000,
  destination: 60_000,
}
export const GUARD_UNITS = 50_000
/** The runtime's maximum; higher limits count as this one. */
const UNITS_MAX = 1_400_000

/** Groups in one transaction, with its budget. */
export const inOneTransaction = (groups: readonly StepGroup[], funds: Funds): Step[] => {
  const { steps, units } = together(groups)
  return [...fundsSteps(funds).budget(Math.min(units + GUARD_UNITS, UNITS_MAX)), ...steps]
}

const namedIn = ({ genesis, tokens }: Taking, bucket: NamedBucket['bucket']): NamedBucket => ({
  genesis,
  tokens,
  bucket,
})

/**
 * Deposits an amount. A penalty can change until the transaction lands, so `wraps` may be more than it costs now. It
 * can't cost more native currency than that, unless someone else may spend from the wallet's wrapped account.
 */
export function planDeposit(
  taking: Taking,
  bucket: NamedBucket['bucket'],
  { amount, wraps }: { amount: bigint; wraps: bigint },
): StepGroup {
  const funds = fundsSteps(taking)
  const parties = { owner: taking.trader, payer: taking.payer }
  return {
    units: UNITS.deposit[byWhom(taking)],
    steps: [
      ...funds.wrapAlone(wraps),
      funds.signed(depositCall(namedIn(taking, bucket), parties, amount)),
      ...funds.closeTemporary(),
      ...funds.unwrapArrived(),
    ],
  }
}

/** Withdraws an amount, and unwraps what arrives. */
export function planWithdrawal(taking: Taking, bucket: NamedBucket['bucket'], amount: bigint): StepGroup {
  const funds = fundsSteps(taking)
  const parties = { owner: taking.trader, payer: taking.payer }
  return {
    units: UNITS.withdraw[byWhom(taking)],
    steps: [
      ...funds.openQuote,
      ...funds.assertOpen,
      funds.signed(withdrawCall(namedIn(taking, bucket), parties, amount)),
      ...funds.closeTemporary(),
      ...funds.unwrapArrived(),
    ],
  }
}

/** Sends the triggers, then pays out what is owed. Only `payer` signs, unless a refund is unwrapped. */
export function planOwed(
  taking: Taking,
  { kind, bucket, triggers }: Owed,
  { unwraps, hasFeeAccount }: { unwraps: boolean; hasFeeAccount: boolean },
): StepGroup[] {
  const before = triggers.map(trigger => planTrigger(taking, trigger))
  const paid = planPayment(taking, { kind, bucket }, { unwraps, hasFeeAccount })
  return paid ? [...before, paid] : before
}

function planPayment(
  taking: Taking,
  { kind, bucket }: Pick<Owed, 'kind' | 'bucket'>,
  { unwraps, hasFeeAccount }: { unwraps: boolean; hasFeeAccount: boolean },
): StepGroup | undefined {
  const funds = fundsSteps(taking)
  const at = namedIn(taking, bucket)
  const parties = { owner: taking.trader, payer: taking.payer }
  if (kind === 'start') return undefined
  if (kind === 'unlocked')
    return { units: UNITS.unlocked, steps: [funds.free(claimUnlockedCall(at, parties))] }
  if (kind === 'refund')
    return {
      units: UNITS.refund[byWhom(taking)],
      steps: [
        ...(unwraps ? funds.openQuote : []),
        funds.free(refundCall(at, parties)),
        ...(unwraps ? [...funds.closeTemporary(), ...funds.unwrapArrived()] : []),
      ],
    }
  // A presale's fee is in the launch's own token, and the program doesn't create the account for it.
  const opens = kindOf(bucket.kind).deposits?.claimFeeIn === 'base' && !hasFeeAccount
  return {
    units: UNITS.claim + (opens ? UNITS.openAccount : 0),
    steps: [
      ...(opens ? [funds.open(taking.tokens.base, GENESIS_FEE_WALLET)] : []),
      funds.free(claimDepositCall(at, parties)),
    ],
  }
}

export function planTrigger(taking: Taking, trigger: Trigger): StepGroup {
  const at = namedIn(taking, trigger.bucket)
  const [call, more] =
    trigger.kind === 'conditions'
      ? [
          triggerConditionsCall(at, trigger.references, taking.payer),
          trigger.references.length * UNITS.reference,
        ]
      : [
          triggerBehaviorsCall(at, trigger.destinations, taking.payer),
          (trigger.destinations.length - 1) * UNITS.destination,
        ]
  return { units: UNITS[trigger.kind] + more, steps: [{ call, byAgent: false }] }
}

const byWhom = ({ isAgent }: Taking) => (isAgent ? 'agent' : 'wallet')
