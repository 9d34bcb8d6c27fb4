import { ERRORS } from '@slipway/schema/errors'
import { createLogSampler } from './log-sampler.ts'
import type { Metrics } from './metrics.ts'

/** A request with its answer. */
export interface FinishedRequest {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly client: string
  /** The pattern of the path, for metrics: callers choose the path itself. */
  route: string
  status: number
  ms: number
  /** For a stream, the time until its first byte, for the metrics. The log has the time until the last byte. */
  headMs?: number | undefined
  /** The caller disconnected before the last byte was sent. */
  isAborted: boolean
}

export interface RequestRecorder {
  add(finished: FinishedRequest): void
  /** Records the added requests now, before the end of the event loop's turn. */
  flush(): void
}

const PATH_LOGGED_MAX = 200
/** Any other method or status is counted as `other`, so that callers cannot add series to the metrics. */
const COUNTED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
const COUNTED_STATUSES = new Set<number>([
  200,
  204,
  304,
  ...Object.values(ERRORS).map(({ status }) => status),
])
/** A node that refuses thousands of requests per second must not write a line for each. */
const SAMPLED_STATUSES = new Set([429, 503])
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Most reads take a few milliseconds. */
const SLOW_MS = 500

export interface AccessLog {
  /** Takes complete JSON lines; undefined turns the access log off. */
  writeLines?: ((lines: string) => void) | undefined
  /** If false, quick reads without an error share one line per second and route. */
  logsEveryRead?: boolean
  /** Every line has it. */
  worker?: number | undefined
}

/**
 * Writes finished requests to the metrics and the access log. All that finish in one turn of the event loop are
 * recorded together at its end: recording each one between two sends took 10 to 25 % more processor time per request.
 */
export function createRequestRecorder(
  requests: Metrics['requests'],
  { writeLines, logsEveryRead = false, worker }: AccessLog,
): RequestRecorder {
  let waiting: FinishedRequest[] = []
  const ofWorker = worker === undefined ? '' : `"worker":${worker},`
  const createSampler = () =>
    createLogSampler<FinishedRequest>((request, leftOut) =>
      writeLines?.(formatLine(request, ofWorker, new Date().toISOString(), leftOut)),
    )
  const sampleRefusal = createSampler()
  const sampleRead = createSampler()

  function flush() {
    if (waiting.length === 0) return
    const finished = waiting
    waiting = []
    const time = new Date().toISOString()
    let lines = ''
    for (const request of finished) {
      const { method, route, status, ms, headMs = ms } = request
      requests.observe(
        {
          method: COUNTED_METHODS.has(method) ? method : 'other',
          route,
          status: COUNTED_STATUSES.has(status) ? status : 'other',
        },
        headMs / 1_000,
      )
      if (!writeLines) continue
      if (SAMPLED_STATUSES.has(status)) sampleRefusal(`${status}`, request)
      else if (!logsEveryRead && isUneventful(request)) sampleRead(route, request)
      else lines += formatLine(request, ofWorker, time)
    }
    if (lines) writeLines?.(lines)
  }

  return {
    add(finished) {
      if (waiting.push(finished) === 1) setImmediate(flush)
    },
    flush,
  }
}

const isUneventful = ({ method, status, ms, isAborted }: FinishedRequest) =>
  READS.has(method) && status < 400 && ms < SLOW_MS && !isAborted

/** The line that pino would write, formatted by hand because every request has one: pino takes three times as long. */
function formatLine(
  { id, method, url, status, ms, client, isAborted }: FinishedRequest,
  ofWorker: string,
  time: string,
  leftOut = 0,
): string {
  // Only the path needs escaping: the other values were checked when the request came in.
  return `{"level":"info","time":"${time}",${ofWorker}"requestId":"${id}","method":"${method}","path":${JSON.stringify(loggedPath(url))},"status":${status},"us":${Math.round(ms * 1_000)},"client":"${client}",${isAborted ? '"aborted":true,' : ''}${leftOut > 0 ? `"leftOut":${leftOut},` : ''}"msg":"request"}\n`
}

/** Without the query, which may hold secrets. */
function loggedPath(url: string): string {
  const end = url.indexOf('?')
  return url.slice(0, Math.min(end === -1 ? url.length : end, PATH_LOGGED_MAX))
}
