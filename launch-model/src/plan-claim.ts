import type { Call } from './call.ts'
import { type Collection, claimCall, collectCall, type FeeClaim, quoteTokenOf } from './calls/claims.ts'
import { openTokenAccountCall } from './calls/tokens.ts'
import { becomesPool } from './kinds/kinds.ts'
import { TOKEN_PROGRAM } from './programs.ts'
import { type Funds, fundsSteps, type Step, type TraderAccounts } from './trade/wrap-native.ts'

export interface PlannedClaim extends FeeClaim {
  /** Whether the wallet has no token account for the quote mint yet. The claim still succeeds if one exists by then. */
  createsTokenAccount: boolean
  /** For an AMM bucket whose pool holds fees that have not been collected yet. */
  collect?: Collection | undefined
  /** Unwraps the fees, which the wallet must sign. The present balance of its wrapped account stays wrapped. */
  unwraps?: (Pick<TraderAccounts, 'quote'> & Pick<Funds, 'accountRent'>) | undefined
}

/** Pays a bucket's fees to its creator: fees in the pool are collected first, then all fees are claimed. */
export function planClaim(claim: PlannedClaim): Step[] {
  const { payer, bucket, wallet, collect } = claim
  const steps: Step[] = []
  const add = (call: Call) => steps.push({ call, byAgent: false })
  if (claim.createsTokenAccount) add(openTokenAccountCall(payer, wallet, quoteTokenOf(claim)))
  if (collect && becomesPool(bucket.kind)) add(collectCall(claim, collect))
  add(claimCall(claim))
  if (claim.unwraps) {
    const { closeTemporary, unwrapArrived } = fundsSteps(fundsOfClaim(claim, claim.unwraps))
    steps.push(...closeTemporary(), ...unwrapArrived())
  }
  return steps
}

/** The recipient's accounts. A claim has nothing to do with the launch's own token. */
export const fundsOfClaim = (
  claim: FeeClaim,
  { quote, accountRent }: NonNullable<PlannedClaim['unwraps']>,
): Funds => ({
  tokens: { base: { mint: claim.baseMint, program: TOKEN_PROGRAM }, quote: quoteTokenOf(claim) },
  trader: claim.wallet,
  payer: claim.payer,
  isAgent: false,
  holds: { hasBase: true, quote },
  accountRent,
  priorityFee: 0n,
})
