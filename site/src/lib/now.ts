import { useSyncExternalStore } from 'react'
import { useSite } from './site-context.ts'

const STEPS_MS = { second: 1_000, minute: 60_000 }

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for everything on the page that shows time. */
function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const notify of listeners) notify()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The current time, rounded down to the step. The component renders again when it changes, and not in between. */
export function useNow(step: keyof typeof STEPS_MS): number {
  const { serverNowMs } = useSite()
  const stepMs = STEPS_MS[step]
  return useSyncExternalStore(
    subscribe,
    () => Math.floor(Date.now() / stepMs) * stepMs,
    () => serverNowMs,
  )
}

const subscribeNever = () => () => {}

/** False on the server and in the first render of the browser, which must match it. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  )
