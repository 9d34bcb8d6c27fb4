import { GUARD_UNITS, type StepGroup } from '@slipway/launch-model/plan-deposit'
import { type Funds, fundsSteps, type Step } from '@slipway/launch-model/trade/wrap-native'
import { ServiceError } from '@slipway/schema/errors'
import { type ActingAgent, compileSteps, encodeSteps } from './compile-steps.ts'
import { measureTransaction, TRANSACTION_BYTES_MAX } from './compile-transaction.ts'
import type { PaidTransaction } from './payer-costs.ts'

/** Bytes that a transaction leaves for the checks that a wallet adds. */
const GUARD_BYTES = 100
/** The runtime's maximum; higher limits count as this one. */
const UNITS_MAX = 1_400_000

/** Groups of instructions in as few transactions as have room for them, in order. */
export function packGroups(
  groups: readonly StepGroup[],
  funds: Funds & { agent?: ActingAgent },
  blockhash: string,
): PaidTransaction[] {
  const packed: StepGroup[][] = []
  for (const group of groups) {
    const last = packed.at(-1)
    if (last && fitsTransaction([...last, group], funds)) last.push(group)
    else if (fitsTransaction([group], funds)) packed.push([group])
    else throw tooLarge()
  }
  return packed.map(one => {
    const steps = stepsOf(one, funds)
    return { tx: compileSteps(steps, { ...funds, blockhash }), steps }
  })
}

/** Anyone can create a launch whose proceeds go to that many buckets. */
const tooLarge = () =>
  new ServiceError('TRANSACTION_WOULD_FAIL', {
    details: [{ path: '', message: 'The launch involves more buckets than one transaction has room for' }],
  })

export const fitsTransaction = (
  groups: readonly StepGroup[],
  funds: Funds & { agent?: ActingAgent },
): boolean =>
  measureTransaction(funds.payer, encodeSteps(stepsOf(groups, funds), funds)) <=
  TRANSACTION_BYTES_MAX - GUARD_BYTES

const unitsOf = (groups: readonly StepGroup[]): number =>
  Math.min(
    groups.reduce((sum, group) => sum + group.units, GUARD_UNITS),
    UNITS_MAX,
  )

const stepsOf = (groups: readonly StepGroup[], funds: Funds): Step[] => [
  ...fundsSteps(funds).budget(unitsOf(groups)),
  ...groups.flatMap(({ steps }) => steps),
]
