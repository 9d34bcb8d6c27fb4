import { type Network, type Slipway, SlipwayError } from '@slipway/client'
import { queryOptions } from '@tanstack/react-query'
import { createLimit } from './limit.ts'

/** Every question that pages ask, in one place. */

/** All launches of a network. Events keep it up to date, so that it is fetched once. */
export const launchesQuery = (slipway: Slipway, network: Network) =>
  queryOptions({
    queryKey: ['launches', network],
    queryFn: ({ signal }) => slipway.launches.list({ network }, { signal }),
    staleTime: 60_000,
  })

export const launchQuery = (slipway: Slipway, network: Network, address: string) =>
  queryOptions({
    queryKey: ['launch', network, address],
    queryFn: ({ signal }) => slipway.launches.get(address, { network, signal }),
  })

export const PERIODS = ['day', 'week', 'all'] as const
export type Period = (typeof PERIODS)[number]

const HOUR_MS = 3_600_000
/** Few at a time, so that a page with many launches stays well below the limit of requests. */
const limitActivity = createLimit(3)

/** What a launch has raised over a period, ending now. */
export const activityQuery = (
  slipway: Slipway,
  network: Network,
  address: string,
  period: Period,
  /** Where `all` begins. */
  startMs = 0,
) =>
  queryOptions({
    queryKey: ['activity', network, address, period],
    queryFn: ({ signal }) => {
      const nowMs = Date.now()
      const fromMs =
        period === 'day' ? nowMs - 24 * HOUR_MS : period === 'week' ? nowMs - 7 * 24 * HOUR_MS : startMs
      const interval = nowMs - fromMs <= 8 * 24 * HOUR_MS ? 'hour' : 'day'
      const from = new Date(Math.max(fromMs, nowMs - 499 * (interval === 'hour' ? HOUR_MS : 24 * HOUR_MS)))
      return limitActivity(signal, () =>
        slipway.launches.activity(address, { network, interval, from }, { signal }),
      )
    },
    staleTime: 30_000,
  })

export const agentQuery = (slipway: Slipway, network: Network, address: string) =>
  queryOptions({
    queryKey: ['agent', network, address],
    queryFn: ({ signal }) => slipway.agents.get(address, { network, signal }),
    staleTime: 60_000,
  })

export const tokenQuery = (slipway: Slipway, network: Network, mint: string) =>
  queryOptions({
    queryKey: ['token', network, mint],
    queryFn: ({ signal }) => slipway.tokens.get(mint, { network, signal }),
  })

const RETRIES_MAX = 3

/** A request that the service refuses will be refused again; an outage may pass. */
export function isWorthRetrying(failures: number, error: unknown): boolean {
  if (failures >= RETRIES_MAX) return false
  return !(error instanceof SlipwayError) || error.status === 0 || error.status === 429 || error.status >= 500
}
