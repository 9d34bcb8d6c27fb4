import { type Call, encodeCall, type Instruction } from '@slipway/launch-model/call'
import {
  type Collection,
  claimCall,
  collectCall,
  type FeeClaim,
  quoteTokenOf,
} from '@slipway/launch-model/calls/claims'
import { openTokenAccountCall } from '@slipway/launch-model/calls/tokens'
import { becomesPool } from '@slipway/launch-model/kinds/kinds'
import { TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import {
  type Funds,
  fundsSteps,
  type Step,
  type TraderAccounts,
} from '@slipway/launch-model/trade/wrap-native'
import { compileTransaction } from './compile-transaction.ts'

export interface Claim extends FeeClaim {
  /** Whether the wallet has no token account for the quote mint yet. The claim still succeeds if one exists by then. */
  createsTokenAccount: boolean
  /** For an AMM bucket whose pool holds fees that have not been collected yet. */
  collect?: Collection | undefined
  /** Unwraps the fees, which the wallet must sign. The present balance of its wrapped account stays wrapped. */
  unwraps?: (Pick<TraderAccounts, 'quote'> & Pick<Funds, 'accountRent'>) | undefined
  blockhash: string
}

/**
 * Builds the transaction that pays a bucket's fees to its creator: fees in the pool are collected first, then all
 * fees are claimed. Base64, unsigned.
 */
export function buildClaimTransaction(claim: Claim, steps: readonly Step[] = planClaim(claim)): string {
  // Pushed one by one: if `map` creates the array, V8 compiles the code after it twice, once for each array shape.
  const instructions: Instruction[] = []
  for (const { call } of steps) instructions.push(encodeCall(call))
  return compileTransaction(claim.payer, instructions, claim.blockhash)
}

export function planClaim(claim: Omit<Claim, 'blockhash'>): Step[] {
  const { payer, bucket, wallet, collect } = claim
  const steps: Step[] = []
  const add = (call: Call) => steps.push({ call, byAgent: false })
  if (claim.createsTokenAccount) add(openTokenAccountCall(payer, wallet, quoteTokenOf(claim)))
  if (collect && becomesPool(bucket.kind)) add(collectCall(claim, collect))
  add(claimCall(claim))
  if (claim.unwraps) {
    const { quote, accountRent } = claim.unwraps
    const { closeTemporary, unwrapArrived } = fundsSteps({
      tokens: {
        base: { mint: claim.baseMint, program: TOKEN_PROGRAM },
        quote: quoteTokenOf(claim),
      },
      trader: wallet,
      payer,
      isAgent: false,
      holds: { hasBase: true, quote },
      accountRent,
      priorityFee: 0n,
    })
    steps.push(...closeTemporary(), ...unwrapArrived())
  }
  return steps
}
