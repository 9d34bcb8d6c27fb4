import { formatAccessLine } from './access-log.ts'
import type { RequestHistogram } from './request-histogram.ts'

/** A request that was answered, or whose caller went away. */
export interface AnsweredRequest {
  requestId: string
  method: string
  url: string
  /** The pattern of the path. */
  route: string
  status: number
  ms: number
  client: string
  aborted: boolean
}

const PATH_LOGGED_MAX = 200

/**
 * Gives requests their place in the metrics and their line in the log. All that were answered in one turn of the event
 * loop are written down together at its end: between two system calls the code for it would be cold each time.
 */
export function createRequestRecorder(
  requests: RequestHistogram,
  writeLine: ((line: string) => void) | undefined,
): (request: AnsweredRequest) => void {
  let waiting: AnsweredRequest[] = []

  function writeDown() {
    const answered = waiting
    waiting = []
    const nowMs = Date.now()
    for (const request of answered) {
      requests.observe(request.method, request.route, request.status, request.ms / 1_000)
      writeLine?.(formatAccessLine(request, pathOf(request.url), nowMs))
    }
  }

  return request => {
    if (waiting.push(request) === 1) setImmediate(writeDown)
  }
}

/** Without the query, where callers sometimes put what is nobody else's business. */
function pathOf(url: string): string {
  const end = url.indexOf('?')
  return url.slice(0, Math.min(end === -1 ? url.length : end, PATH_LOGGED_MAX))
}
