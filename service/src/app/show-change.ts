import type { ShowChange } from '../endpoint/endpoint.ts'
import { resultWithin } from '../lib/deadline.ts'
import { pause } from '../lib/pause.ts'

/** The part of the request's time that is reserved for sending the answer. */
const ANSWER_MS = 300
const RETRY_MS = 100

/**
 * Makes requests that have stored a change wait until every worker of this node shows it. If that takes too long, because the
 * store fails right after the commit, the request still succeeds: the change is stored, and an error would say that it isn't.
 */
export function createShowChange({
  showElsewhere = async () => {},
  onShown,
  onLate,
}: {
  /** Resolves once the other workers show everything that is stored. */
  showElsewhere?: (() => Promise<unknown>) | undefined
  onShown(): void
  onLate(error: unknown): void
}): ShowChange {
  return async (deadline, show) => {
    let failure: unknown
    for (;;) {
      const remainingMs = deadline.remainingMs() - ANSWER_MS
      if (remainingMs <= 0) return onLate(failure)
      try {
        const isShown = await resultWithin(
          remainingMs,
          show()
            .then(showElsewhere)
            .then(() => true),
        )
        if (isShown) return onShown()
      } catch (error) {
        failure = error
        await pause(RETRY_MS)
      }
    }
  }
}
