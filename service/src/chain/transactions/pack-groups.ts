import type { Instruction } from '@slipway/launch-model/call'
import { GUARD_UNITS, type StepGroup } from '@slipway/launch-model/plan-deposit'
import { type Funds, fundsSteps } from '@slipway/launch-model/trade/wrap-native'
import { ServiceError } from '@slipway/schema/errors'
import { type ActingAgent, encodeSteps } from './compile-steps.ts'
import { compileTransaction, measureTransaction, TRANSACTION_BYTES_MAX } from './compile-transaction.ts'

/** Bytes that a transaction leaves for the checks that a wallet adds. */
const GUARD_BYTES = 100
/** The runtime's maximum; higher limits count as this one. */
const UNITS_MAX = 1_400_000

/** An unsigned transaction in base64, and its compute limit. */
export interface PackedTransaction {
  tx: string
  units: number
}

/** Groups of instructions in as few transactions as have room for them, in order. */
export function packGroups(
  groups: readonly StepGroup[],
  funds: Funds & { agent?: ActingAgent },
  blockhash: string,
): PackedTransaction[] {
  const packed: StepGroup[][] = []
  for (const group of groups) {
    const last = packed.at(-1)
    if (last && fitsTransaction([...last, group], funds)) last.push(group)
    else if (fitsTransaction([group], funds)) packed.push([group])
    else throw tooLarge()
  }
  return packed.map(one => ({
    tx: compileTransaction(funds.payer, encode(one, funds), blockhash),
    units: unitsOf(one),
  }))
}

/** Anyone can create a launch whose proceeds go to that many buckets. */
const tooLarge = () =>
  new ServiceError('TRANSACTION_WOULD_FAIL', {
    details: [{ path: '', message: 'The launch involves more buckets than one transaction has room for' }],
  })

export const fitsTransaction = (
  groups: readonly StepGroup[],
  funds: Funds & { agent?: ActingAgent },
): boolean => measureTransaction(funds.payer, encode(groups, funds)) <= TRANSACTION_BYTES_MAX - GUARD_BYTES

const unitsOf = (groups: readonly StepGroup[]): number =>
  Math.min(
    groups.reduce((sum, group) => sum + group.units, GUARD_UNITS),
    UNITS_MAX,
  )

const encode = (groups: readonly StepGroup[], funds: Funds & { agent?: ActingAgent }): Instruction[] =>
  encodeSteps([...fundsSteps(funds).budget(unitsOf(groups)), ...groups.flatMap(({ steps }) => steps)], funds)
