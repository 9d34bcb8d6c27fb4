import { setTimeout as sleep } from 'node:timers/promises'

/** Waits, but no longer than until the signal is aborted. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, signal && { signal }).catch(() => {})
}

/**
 * Waits for work, but no longer than until the signal is aborted. A race with one promise for the whole life of the
 * process would keep something for every call.
 */
export async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const done = new AbortController()
  const aborted = new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: done.signal })
  })
  try {
    if (!signal.aborted) await Promise.race([work, aborted])
  } finally {
    done.abort()
  }
}

const RETRY_MS = 250

/** Repeats work until it succeeds or the signal is aborted. Never rejects. */
export async function retry(
  work: () => Promise<void>,
  { onFault, signal }: { onFault(error: unknown): void; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (!signal.aborted) onFault(error)
      await pause(RETRY_MS, signal)
    }
  }
}
