import { encodeCall, type Instruction } from '@slipway/launch-model/call'
import { type PlannedClaim, planClaim } from '@slipway/launch-model/plan-claim'
import type { Step } from '@slipway/launch-model/trade/wrap-native'
import { compileTransaction } from './compile-transaction.ts'

export interface Claim extends PlannedClaim {
  blockhash: string
}

/** Builds the transaction that pays a bucket's fees to its creator. Base64, unsigned. */
export function buildClaimTransaction(claim: Claim, steps: readonly Step[] = planClaim(claim)): string {
  // Pushed one by one: if `map` creates the array, V8 compiles the code after it twice, once for each array shape.
  const instructions: Instruction[] = []
  for (const { call } of steps) instructions.push(encodeCall(call))
  return compileTransaction(claim.payer, instructions, claim.blockhash)
}
