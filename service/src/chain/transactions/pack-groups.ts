import type { ActingAgent } from '@slipway/launch-model/calls/agents'
import { inOneTransaction, type StepGroup } from '@slipway/launch-model/plan-deposit'
import type { Funds } from '@slipway/launch-model/trade/wrap-native'
import { ServiceError } from '@slipway/schema/errors'
import { compileSteps, encodeSteps } from './compile-steps.ts'
import { measureTransaction, TRANSACTION_BYTES_MAX } from './compile-transaction.ts'
import type { PaidTransaction } from './payer-costs.ts'

/** Bytes that a transaction leaves for the checks that a wallet adds. */
const GUARD_BYTES = 100

/** Groups of instructions in as few transactions as have room for them, in order. */
export function packGroups(
  groups: readonly StepGroup[],
  funds: Funds & { agent?: ActingAgent | undefined },
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
    const steps = inOneTransaction(one, funds)
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
  funds: Funds & { agent?: ActingAgent | undefined },
): boolean =>
  measureTransaction(funds.payer, encodeSteps(inOneTransaction(groups, funds), funds)) <=
  TRANSACTION_BYTES_MAX - GUARD_BYTES
