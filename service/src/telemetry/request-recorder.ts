import { formatAccessLine } from './access-log.ts'
import type { Exchange } from '../http/request-context.ts'
import type { RequestHistogram } from './request-histogram.ts'

const PATH_LOGGED_MAX = 200

export interface RequestRecorder {
  add(ended: Exchange): void
  /** Without waiting for the end of the turn. */
  writeDown(): void
}

/**
 * Gives ended exchanges their place in the metrics and their line in the log. All that end in one turn of the event
 * loop are written down together at its end: between two system calls the code for it would be cold each time.
 */
export function createRequestRecorder(
  requests: RequestHistogram,
  writeLines: ((lines: string) => void) | undefined,
): RequestRecorder {
  let waiting: Exchange[] = []

  function writeDown() {
    if (waiting.length === 0) return
    const ended = waiting
    waiting = []
    const nowMs = Date.now()
    let lines = ''
    for (const exchange of ended) {
      requests.observe(exchange.method, exchange.route, exchange.status, exchange.ms / 1_000)
      if (writeLines) lines += formatAccessLine(exchange, pathOf(exchange.url), nowMs)
    }
    writeLines?.(lines)
  }

  return {
    add(exchange) {
      if (waiting.push(exchange) === 1) setImmediate(writeDown)
    },
    writeDown,
  }
}

/** Without the query, where callers sometimes put what is nobody else's business. */
function pathOf(url: string): string {
  const end = url.indexOf('?')
  return url.slice(0, Math.min(end === -1 ? url.length : end, PATH_LOGGED_MAX))
}
