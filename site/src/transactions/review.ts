import type { Address } from '@slipway/launch-model/programs'
import type { Rent } from '@slipway/launch-model/rent'
import { assertSolDecimals } from './check-decimals.ts'
import { assertSigners } from './check-signers.ts'
import { decodeComputeBudget } from './compute-budget.ts'
import { decodeTransaction, type Instruction } from './decode-transaction.ts'
import { type Intent, type Review, type Step, TRANSACTIONS_MAX } from './intent.ts'
import { reviewLaunch } from './launch/review-launch.ts'
import { reviewClaim } from './review-claim.ts'
import { reviewClaimLaunch } from './review-claim-launch.ts'
import { reviewDelegates } from './review-delegates.ts'
import { reviewDeposit, reviewWithdrawDeposit } from './review-deposit.ts'
import { reviewFund } from './review-fund.ts'
import { reviewGraduate } from './review-graduate.ts'
import { reviewMint } from './review-mint.ts'
import { reviewSwap } from './review-swap.ts'
import { reviewFundToken, reviewWithdrawToken } from './review-tokens.ts'
import { reviewWithdraw } from './review-withdraw.ts'
import { refuse } from './unexpected.ts'

export type { Intent, Review } from './intent.ts'
export { UnexpectedTransactionError } from './unexpected.ts'

/**
 * Decodes all wire transactions of one response, in the order in which they are sent, and says what they do. Throws
 * `UnexpectedTransactionError` if they do anything other than the intent says. Every byte is either checked here or
 * shown in the review, except the blockhash and which accounts are writable. Sign exactly these bytes.
 *
 * The transactions of a launch must do everything from their first step to the last: a launch that is finalized
 * without its creator fees can never get them.
 *
 * Without `rent`, deposits that pass through a wrapped account which exists already are refused.
 */
export async function reviewTransactions(
  wires: readonly Uint8Array[],
  intent: Intent,
  wallet: string,
  rent?: Rent,
): Promise<Review[]> {
  if (wires.length > TRANSACTIONS_MAX)
    refuse(
      `The service sent ${wires.length} transactions. This page signs at most ${TRANSACTIONS_MAX} at once.`,
    )
  const all: Awaited<ReturnType<typeof reviewTransaction>>[] = []
  // One after the other, so that the first one that is wrong is reported.
  for (const wire of wires) all.push(await reviewTransaction(wire, intent, wallet, rent))
  const [first] = all
  if (first?.launch) {
    const positions = all.flatMap(({ launch }) => launch?.positions ?? [])
    const start = positions[0] as number
    if (positions.some((position, index) => position < start + index))
      refuse('The transactions repeat a step of the launch, or have it in the wrong place.')
    if (start + positions.length !== first.launch.count)
      refuse('The transactions leave out a step of the launch.')
    first.review.earlier = first.launch.earlier
  }
  return all.map(({ review }) => review)
}

/** Reviews one of them, whichever steps of a launch it has. */
async function reviewTransaction(wire: Uint8Array, given: Intent, signer: string, rent: Rent | undefined) {
  const [intent, wallet] = [given as Intent<Address>, signer as Address]
  // Signatures are checked by the browser, which offers that to secure pages only.
  if (!globalThis.crypto?.subtle)
    refuse('This page can’t check transactions, because it wasn’t loaded over HTTPS.')
  assertSolDecimals(given)
  const transaction = decodeTransaction(wire)
  const { actions, ...fee } = decodeComputeBudget(transaction.instructions, transaction.signers.length)
  await assertSigners(transaction, wallet, newAccountsOf(intent))
  const launch = intent.kind === 'create-launch' ? reviewLaunch(actions, intent, wallet) : undefined
  const steps = launch?.steps ?? reviewActions(actions, intent as OtherIntent, wallet, rent)
  const review: Review = { steps, ...fee, signers: transaction.signers.map(({ address }) => address) }
  return { review, launch }
}

/** Accounts that the transaction creates at an address with a key, which signs for that. */
function newAccountsOf(intent: Intent<Address>): Address[] {
  if (intent.kind === 'mint') return [intent.agent]
  return intent.kind === 'create-launch' ? [intent.mint] : []
}

type OtherIntent = Exclude<Intent<Address>, { kind: 'create-launch' }>

function reviewActions(
  actions: readonly Instruction[],
  intent: OtherIntent,
  wallet: Address,
  rent: Rent | undefined,
): Step[] {
  switch (intent.kind) {
    case 'fund':
      return reviewFund(actions, intent, wallet)
    case 'withdraw':
      return reviewWithdraw(actions, intent, wallet)
    case 'fund-token':
      return reviewFundToken(actions, intent, wallet)
    case 'withdraw-token':
      return reviewWithdrawToken(actions, intent, wallet)
    case 'delegate':
    case 'revoke':
    case 'register-executive':
      return reviewDelegates(actions, intent, wallet)
    case 'mint':
      return reviewMint(actions, intent, wallet)
    case 'claim':
      return reviewClaim(actions, intent, wallet)
    case 'swap':
      return reviewSwap(actions, intent, wallet)
    case 'deposit':
      return reviewDeposit(actions, intent, wallet, rent)
    case 'withdraw-deposit':
      return reviewWithdrawDeposit(actions, intent, wallet)
    case 'claim-launch':
      return reviewClaimLaunch(actions, intent, wallet)
    case 'graduate':
      return reviewGraduate(actions, intent, wallet)
  }
}
