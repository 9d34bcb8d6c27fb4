import type { Address } from '@slipway/client'
import { assertSigners } from './check-signers.ts'
import { readComputeBudget } from './compute-budget.ts'
import { decodeTransaction, type Instruction } from './decode-transaction.ts'
import type { Intent, Review, Step } from './intent.ts'
import { reviewClaim } from './review-claim.ts'
import { reviewFund } from './review-fund.ts'
import { reviewMint } from './review-mint.ts'
import { reviewWithdraw } from './review-withdraw.ts'
import { refuse } from './unexpected.ts'

export type { Intent, Review } from './intent.ts'
export { UnexpectedTransactionError } from './unexpected.ts'

/**
 * Decodes one wire transaction and says what it does. Throws `UnexpectedTransactionError` if it does anything other than
 * the intent says. Every byte of it is either checked here or part of what the review says, except the blockhash and which
 * accounts are writable. Sign exactly these bytes.
 */
export async function reviewTransaction(wire: Uint8Array, intent: Intent, wallet: Address): Promise<Review> {
  // Addresses are derived with SHA-256, which browsers offer to secure pages only.
  if (!globalThis.crypto?.subtle)
    refuse('This page can’t check transactions, because it wasn’t loaded over HTTPS.')
  const transaction = decodeTransaction(wire)
  const { actions, feeLamports } = readComputeBudget(transaction.instructions, transaction.signers.length)
  await assertSigners(transaction, wallet, newAccountsOf(intent))
  return {
    steps: await reviewActions(actions, intent, wallet),
    feeLamports,
    signers: transaction.signers.map(({ address }) => address),
  }
}

/** Accounts that the transaction creates at an address with a key, which signs for that. */
function newAccountsOf(intent: Intent): Address[] {
  if (intent.kind === 'mint') return [intent.agent]
  return intent.kind === 'create-launch' ? [intent.mint] : []
}

async function reviewActions(
  actions: readonly Instruction[],
  intent: Intent,
  wallet: Address,
): Promise<Step[]> {
  switch (intent.kind) {
    case 'fund':
      return reviewFund(actions, intent, wallet)
    case 'withdraw':
      return reviewWithdraw(actions, intent, wallet)
    case 'mint':
      return reviewMint(actions, intent, wallet)
    case 'claim':
      return reviewClaim(actions, intent, wallet)
    case 'create-launch':
      return refuse('This page can’t check launches yet.')
  }
}
