interface ResponseBatch<Response> {
  add(response: Response): void
  /** Sends what waits now, before anything else happens to the connections. */
  flush(): void
}

/** Bounds the wait of the first response in a batch. */
const BATCH_MAX = 64

/**
 * Sends the responses of one turn of the event loop together at its end. Sending is a system call that copies up to
 * megabytes and fills the processor's caches; code that runs between two sends would start cold each time.
 */
export function createResponseBatch<Response>(
  send: (response: Response) => void,
  onSent: () => void,
): ResponseBatch<Response> {
  let waiting: Response[] = []

  function flush() {
    const ready = waiting
    waiting = []
    for (const response of ready) send(response)
    onSent()
  }

  return {
    add(response) {
      const count = waiting.push(response)
      if (count === 1) setImmediate(flush)
      else if (count === BATCH_MAX) flush()
    },
    flush,
  }
}
