/** The limit of a request, whatever it waits for. */
export const REQUEST_MS_MAX = 3_000

/** One time limit for everything that a request waits for. It starts when it is created. */
export interface Deadline {
  /** Zero or less once the time is up. */
  remainingMs(): number
  /** Call it before a further step, because the caller may no longer be waiting for the result. */
  assertInTime(): void
  /** Extends the limit to `limitMs` in all, from the start, if the condition holds when the first limit is reached. */
  extendIf(condition: () => boolean, limitMs: number): void
}

export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
}

export function createDeadline(limitMs: number): Deadline {
  const startMs = performance.now()
  let extension: { condition(): boolean; limitMs: number } | undefined
  const remainingMs = () =>
    startMs + (extension?.condition() ? extension.limitMs : limitMs) - performance.now()
  return {
    remainingMs,
    assertInTime() {
      if (remainingMs() <= 0) throw new DeadlineExceeded('the time is up')
    },
    extendIf(condition, extendedMs) {
      extension = { condition, limitMs: extendedMs }
    },
  }
}

/**
 * Rejects with `DeadlineExceeded` when the time is up. The work itself is not interrupted: other requests may share it,
 * and whatever it waits for has a limit of its own.
 */
export async function withinDeadline<T>(deadline: Deadline, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    function check() {
      const remainingMs = deadline.remainingMs()
      if (remainingMs > 0) timer = setTimeout(check, Math.ceil(remainingMs))
      // One more turn of the event loop: if we were busy, the result may have arrived already.
      else setImmediate(() => reject(new DeadlineExceeded('the time is up')))
    }
    check()
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** The result, or undefined if it takes longer than that. */
export async function resultWithin<T>(waitMsMax: number, work: Promise<T>): Promise<T | undefined> {
  return withinDeadline(createDeadline(waitMsMax), work).catch(error => {
    if (error instanceof DeadlineExceeded) return undefined
    throw error
  })
}
