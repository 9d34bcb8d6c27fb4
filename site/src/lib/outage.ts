import { SlipwayError } from '@slipway/client'
import { useSyncExternalStore } from 'react'

/** Why something on the page is out of date. */
export interface Outage {
  sinceMs: number
  /** Whether the service refuses requests from this network address for now. */
  isLimited: boolean
}

export const isLimited = (error: unknown): boolean => error instanceof SlipwayError && error.status === 429

const outages = new Set<Outage>()
const listeners = new Set<() => void>()
let earliest: Outage | undefined

/** Shows an outage at the top of the page. Returns how to end it. */
export function reportOutage(outage: Outage): () => void {
  outages.add(outage)
  notify()
  return () => {
    outages.delete(outage)
    notify()
  }
}

function notify() {
  earliest = [...outages].sort((a, b) => a.sinceMs - b.sinceMs)[0]
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The outage that began first, while there is one. */
export const useOutage = (): Outage | undefined =>
  useSyncExternalStore(
    subscribe,
    () => earliest,
    () => undefined,
  )
