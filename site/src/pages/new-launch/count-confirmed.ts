import { fetchStatuses } from '../../lib/rpc.ts'
import type { StartedLaunch } from './started-launches.ts'

export interface Standing {
  confirmed: number
  total: number
}

/** How far a launch has come, as far as this browser knows. */
export const standingOf = ({ earlier, confirmed, signatures }: StartedLaunch): Standing => ({
  confirmed: earlier + confirmed,
  total: earlier + signatures.length,
})

/** The same from the chain, which may have confirmed more since. */
export async function fetchStanding(
  rpcUrl: string,
  { earlier, signatures }: StartedLaunch,
  signal: AbortSignal,
): Promise<Standing> {
  const statuses = await fetchStatuses(rpcUrl, signatures, signal)
  const confirmed = statuses.filter(
    status => status && !status.err && status.confirmationStatus !== 'processed',
  )
  return { confirmed: earlier + confirmed.length, total: earlier + signatures.length }
}
