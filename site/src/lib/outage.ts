import { SlipwayError } from '@slipway/client'
import { useSyncExternalStore } from 'react'

/** Why something on the page is out of date. */
export interface Outage {
  sinceMs: number
  /**
   * `unreachable`: the service doesn't answer. `limited`: it refuses requests from this network address for now.
   * `slow`: it has not answered yet. `offline`: the browser has no network.
   */
  kind: 'unreachable' | 'limited' | 'slow' | 'offline'
}

export const isLimited = (error: unknown): boolean => error instanceof SlipwayError && error.status === 429

const outages = new Set<Outage>()
const listeners = new Set<() => void>()
let shown: Outage | undefined
let endedMs = 0

/** Shows an outage at the top of the page. Returns a function that ends it. */
export function reportOutage(outage: Outage): () => void {
  outages.add(outage)
  notify()
  return () => {
    outages.delete(outage)
    notify()
  }
}

/** The reason that explains most comes first. */
const RANKS = { offline: 0, unreachable: 1, limited: 1, slow: 2 }

/** Slow requests still succeed, so this is not a failure. */
const isFailure = (outage: Outage | undefined): boolean => outage !== undefined && outage.kind !== 'slow'

function notify() {
  const before = shown
  shown = [...outages].sort((a, b) => RANKS[a.kind] - RANKS[b.kind] || a.sinceMs - b.sinceMs)[0]
  if (isFailure(before) && !isFailure(shown)) endedMs = Date.now()
  for (const listener of listeners) listener()
}

const JUST_MS = 3_000

/** Whether an outage ended a moment ago, so that something may still fail that was asked for during it. */
export const hasJustEnded = (): boolean => Date.now() - endedMs < JUST_MS

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The outage that began first, if any. Slow requests come last. */
export const useOutage = (): Outage | undefined =>
  useSyncExternalStore(
    subscribe,
    () => shown,
    () => undefined,
  )
