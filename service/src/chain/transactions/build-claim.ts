import { encodeCall, type Instruction } from '@slipway/launch-model/call'
import { type Collection, claimCall, collectCall, type FeeClaim } from '@slipway/launch-model/calls/claims'
import { openTokenAccountCall } from '@slipway/launch-model/calls/tokens'
import { becomesPool } from '@slipway/launch-model/kinds/kinds'
import { compileTransaction } from './compile-transaction.ts'

export interface Claim extends FeeClaim {
  /** Whether the wallet has no token account for the quote mint yet. The claim still succeeds if one exists by then. */
  createsTokenAccount: boolean
  /** For an AMM bucket whose pool holds fees that have not been collected yet. */
  collect?: Collection | undefined
  blockhash: string
}

/**
 * What the payer signs to have a bucket's fees paid to its creator. Fees in the pool are collected first, then all fees
 * are claimed. Base64, unsigned.
 */
export function buildClaimTransaction(claim: Claim): string {
  const { payer, bucket, wallet, quoteMint, quoteTokenProgram, collect } = claim
  // Pushed one by one: V8 compiles everything after it twice if `map` creates the array, once for each of its shapes.
  const instructions: Instruction[] = []
  if (claim.createsTokenAccount)
    instructions.push(encodeCall(openTokenAccountCall(payer, wallet, quoteMint, quoteTokenProgram)))
  if (collect && becomesPool(bucket.kind)) instructions.push(encodeCall(collectCall(claim, collect)))
  instructions.push(encodeCall(claimCall(claim)))
  return compileTransaction(payer, instructions, claim.blockhash)
}
