export interface Outbox<Answer> {
  add(answer: Answer): void
  /** Sends what waits, without waiting for the end of the turn: before anything else happens to the connections. */
  empty(): void
}

/** So that the first of many does not wait for all of them. */
const TOGETHER_MAX = 64

/**
 * Answers that are ready are sent together at the end of a turn of the event loop. Sending is a system call that copies
 * up to megabytes, and the processor's caches are full of them afterwards: whatever is done between two of them starts
 * cold each time.
 */
export function createOutbox<Answer>(send: (answer: Answer) => void, onAllSent: () => void): Outbox<Answer> {
  let waiting: Answer[] = []

  function empty() {
    const ready = waiting
    waiting = []
    for (const answer of ready) send(answer)
    onAllSent()
  }

  return {
    add(answer) {
      const count = waiting.push(answer)
      if (count === 1) setImmediate(empty)
      else if (count === TOGETHER_MAX) empty()
    },
    empty,
  }
}
