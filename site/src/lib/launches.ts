import type { LaunchActivity, LaunchData, LaunchStatus, Network } from '@slipway/client'
import { formatUnits, quoteSymbol } from './format.ts'

/** Derived from the times, so that it changes at the right second without a request. */
export function statusAt({ launch }: LaunchData, nowMs: number): LaunchStatus {
  if (launch.graduatedAt !== null) return 'graduated'
  return nowMs < Date.parse(launch.startTime) ? 'upcoming' : 'live'
}

/** Where a launch is on this site. */
export function launchHref(address: string, network: Network, networks: readonly string[]): string {
  return network === networks[0] ? `/launches/${address}` : `/launches/${address}?network=${network}`
}

/** The name that people read; some tokens have none. */
export const titleOf = ({ baseToken }: LaunchData): string => baseToken.name || baseToken.symbol || 'Unnamed'

/** Whether people pay into it at no fixed price, so that what was raised matters more than the price. */
export const isRaise = (mechanic: string): boolean => mechanic !== 'bondingCurveV2'

/** Newest activity first; equal times by address, as the API does. */
export function compareLaunches(a: LaunchData, b: LaunchData): number {
  if (a.launch.lastActivityAt !== b.launch.lastActivityAt)
    return a.launch.lastActivityAt < b.launch.lastActivityAt ? 1 : -1
  return a.launch.genesisAddress < b.launch.genesisAddress ? -1 : 1
}

/** `250 SOL`: what a raise aims for, as far as the progress tells. */
export function goalOf(activity: LaunchActivity, mechanic: string): string | undefined {
  const { current, quoteDecimals, quoteMint } = activity
  if (!isRaise(mechanic) || !current.progress) return undefined
  const goal = Number(current.raised) / current.progress
  if (!Number.isFinite(goal) || goal > Number.MAX_SAFE_INTEGER) return undefined
  return `${formatUnits(`${Math.round(Number(goal.toPrecision(6)))}`, quoteDecimals)} ${quoteSymbol(quoteMint)}`
}
