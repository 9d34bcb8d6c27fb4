import { fetchBalance } from '../lib/rpc.ts'
import type { Review } from './intent.ts'
import { formatSol } from './transfer.ts'
import { refuse } from './unexpected.ts'

/**
 * Refuses to put more into an account than it has now. If the chain doesn't answer, only the review shows the amount.
 */
export async function assertRefills(
  rpcUrl: string,
  reviews: readonly Review[],
  signal: AbortSignal,
): Promise<void> {
  const refills = reviews.flatMap(({ steps }) => steps.flatMap(({ refill }) => refill ?? []))
  const accounts = [...new Set(refills.map(({ account }) => account))]
  for (const account of accounts) {
    const held = await fetchBalance(rpcUrl, account, signal).then(BigInt, () => undefined)
    const wrong = refills.find(
      refill => refill.account === account && held !== undefined && refill.lamports > held,
    )
    if (wrong && held !== undefined)
      refuse(
        `The transaction leaves ${formatSol(wrong.lamports)} in your wrapped SOL account, which has ${formatSol(held)} now.`,
      )
  }
}
