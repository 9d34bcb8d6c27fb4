import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/launch-model/programs'
import { assertPlanned, assertSigners, type Planned } from './assert-planned.ts'
import { type DecodedTransaction, decodeTransaction } from './decode-transaction.ts'
import type { Facts } from './facts.ts'
import { type Intent, type Review, refuse, TRANSACTIONS_MAX } from './intent.ts'
import {
  planDelegates,
  planFund,
  planFundToken,
  planNewAgent,
  planWithdraw,
  planWithdrawToken,
} from './plan-agent-action.ts'
import { planLaunch } from './plan-launch.ts'
import { planLaunchAction } from './plan-launch-action.ts'
import { planRewards } from './plan-rewards.ts'

export type { Intent, Review } from './intent.ts'
export { UnexpectedTransactionError } from './intent.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n

/**
 * Plans all transactions of one response, in the order in which they are sent, and says what they do. Throws
 * `UnexpectedTransactionError` if they are anything else than planned. Every byte is either planned here or shown in
 * the review, except the blockhash. Sign exactly these bytes.
 *
 * The plan is made of the intent and of what the page has read from the chain. It takes no account, amount, limit or
 * program from the transaction: the encoders are the service's own, so a check against the bytes alone would only
 * mirror them. What the service chooses is in the review, or within limits of the intent: the documents of a new
 * agent or token, the source of creator rewards, and how much of a trade or a deposit is possible.
 *
 * The transactions of a launch must do everything from their first step to the last: a launch that is finalized
 * without its creator fees can never get them.
 */
export async function reviewTransactions(
  wires: readonly Uint8Array[],
  given: Intent,
  signer: string,
  facts: Facts,
): Promise<Review[]> {
  const [intent, wallet] = [given as Intent<Address>, signer as Address]
  if (wires.length > TRANSACTIONS_MAX)
    refuse(
      `The service sent ${wires.length} transactions. This page signs at most ${TRANSACTIONS_MAX} at once.`,
    )
  // Signatures are checked by the browser, which offers that to secure pages only.
  if (!globalThis.crypto?.subtle)
    refuse('This page can’t check transactions, because it wasn’t loaded over HTTPS.')
  assertAgentWallet(intent)
  const reviews: Review[] = []
  const positions: number[] = []
  let count = 0
  // One after the other, so that the first one that is wrong is reported.
  for (const wire of wires) {
    const transaction = decodeTransaction(wire)
    await assertSigners(transaction, wallet, newAccountsOf(intent))
    const planned = plan(transaction, intent, wallet, facts)
    assertPlanned(transaction, planned, wallet)
    reviews.push({
      steps: planned.says,
      feeLamports: BigInt(transaction.signers.length) * LAMPORTS_PER_SIGNATURE,
      signers: transaction.signers.map(({ address }) => address),
      ...(reviews.length === 0 && planned.earlier && { earlier: planned.earlier }),
    })
    positions.push(...(planned.positions ?? []))
    count = planned.count ?? 0
  }
  const start = positions[0] ?? 0
  if (positions.some((position, index) => position < start + index))
    refuse('The transactions repeat a step of the launch, or have it in the wrong place.')
  if (count > 0 && start + positions.length !== count)
    refuse('The transactions leave out a step of the launch.')
  return reviews
}

/** Accounts that the transaction creates at an address with a key, which signs for that. */
function newAccountsOf(intent: Intent<Address>): Address[] {
  if (intent.kind === 'mint') return [intent.agent]
  return intent.kind === 'create-launch' ? [intent.mint] : []
}

/** The service names the agent's wallet, but anyone can derive it. */
function assertAgentWallet(intent: Intent<Address>): void {
  if (!('agentWallet' in intent)) return
  const derived = assetSignerAddress(intent.agent)
  if (intent.agentWallet !== derived)
    refuse(`The page showed ${intent.agentWallet} as the agent’s wallet. The agent’s wallet is ${derived}.`)
}

function plan(
  { instructions: given }: DecodedTransaction,
  intent: Intent<Address>,
  wallet: Address,
  facts: Facts,
): Planned & Partial<ReturnType<typeof planLaunch>> {
  switch (intent.kind) {
    case 'fund':
      return planFund(intent, wallet)
    case 'withdraw':
      return planWithdraw(intent, wallet, facts)
    case 'fund-token':
      return planFundToken(intent, wallet, facts)
    case 'withdraw-token':
      return planWithdrawToken(intent, wallet, facts)
    case 'delegate':
    case 'revoke':
    case 'register-executive':
      return planDelegates(intent, wallet)
    case 'mint':
      return planNewAgent(intent, wallet, given)
    case 'claim':
      return planRewards(given, intent, wallet, facts)
    case 'create-launch':
      return planLaunch(given, intent, wallet, facts)
    default:
      return planLaunchAction(given, intent, wallet, facts)
  }
}
