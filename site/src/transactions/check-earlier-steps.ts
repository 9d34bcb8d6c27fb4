import { fetchAccounts } from '../lib/rpc.ts'
import type { Review } from './intent.ts'
import { refuse } from './unexpected.ts'

/**
 * Refuses to go on with a launch if the chain doesn't show every earlier step as the person entered it. Without one of
 * them, the launch could be finalized without its creator fees, for example.
 */
export async function assertEarlierSteps(
  rpcUrl: string,
  reviews: readonly Review[],
  signal: AbortSignal,
): Promise<void> {
  const earlier = reviews.flatMap(review => review.earlier ?? [])
  if (earlier.length === 0) return
  const addresses = [...new Set(earlier.map(({ evidence }) => evidence.address))]
  const programs = earlier.map(({ evidence }) => evidence.program)
  const accounts = await fetchAccounts(rpcUrl, addresses, signal, programs)
  for (const { name, evidence } of earlier) {
    const data = accounts[addresses.indexOf(evidence.address)]
    if (data === undefined || evidence.stateOf(data) !== 'done')
      refuse(
        `The transactions leave out a step that is not on the chain, or differs there from your entries: ${name}.`,
      )
  }
}
