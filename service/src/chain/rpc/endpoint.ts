import { Pool } from 'undici'
import { AttemptFailed, faultOfError, malformed } from './fault.ts'

/** One address that answers for a network. */
export interface Endpoint {
  /** Its host: the rest of a URL often holds a key, and may be seen by nobody. */
  label: string
  /** Rejects with `AttemptFailed`. */
  post(body: string, limits: PostLimits): Promise<HttpAnswer>
  /** Takes out of a text whatever is secret in the URL, should a node repeat it. */
  redact(text: string): string
  close(): Promise<void>
}

export interface PostLimits {
  timeoutMs: number
  bytesMax: number
}

export interface HttpAnswer {
  status: number
  text: string
  retryAfterMs: number | undefined
}

const CONNECTIONS_MAX = 128
const CONNECT_TIMEOUT_MS = 1_000
/** Shorter than the idle time of common load balancers. */
const KEEP_ALIVE_MS = 30_000

export function createEndpoint(href: string, label: string): Endpoint {
  const url = new URL(href)
  const pool = new Pool(url.origin, {
    connections: CONNECTIONS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Ours count from the call and include the queue; undici's own are coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  })
  const path = url.pathname + url.search
  const headers = ['content-type', 'application/json', 'accept', 'application/json', 'user-agent', 'slipway']
  if (url.username || url.password) headers.push('authorization', basicCredentials(url))
  const secrets = secretsOf(url)

  return {
    label,

    post(body, { timeoutMs, bytesMax }) {
      return new Promise((resolve, reject) => {
        let abort: ((reason: Error) => void) | undefined
        let isOver = false
        const end = (error: AttemptFailed) => {
          if (isOver) return
          isOver = true
          clearTimeout(timer)
          reject(error)
          abort?.(error)
        }
        const late = () =>
          end(new AttemptFailed({ kind: 'timeout' }, `no answer in ${Math.round(timeoutMs)} ms`))
        // One more turn: when we were the busy ones, the answer may have been lying here for long.
        const timer = setTimeout(() => setImmediate(late), timeoutMs)
        let answer = { status: 0, retryAfterMs: undefined as number | undefined }
        const chunks: Buffer[] = []
        let size = 0
        pool.dispatch(
          { method: 'POST', path, headers, body },
          {
            onRequestStart(controller) {
              // It may have waited for a connection until nobody wants it any more.
              if (isOver) controller.abort(new Error('too late'))
              else abort = reason => controller.abort(reason)
            },
            onResponseStart(_, status, received) {
              // What is below 200 only announces the answer.
              if (status >= 200) answer = { status, retryAfterMs: readRetryAfter(received['retry-after']) }
            },
            onResponseData(_, chunk) {
              size += chunk.length
              if (size > bytesMax) end(malformed(`more than ${bytesMax} bytes`))
              else chunks.push(chunk)
            },
            onResponseEnd() {
              if (isOver) return
              isOver = true
              clearTimeout(timer)
              const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)
              resolve({ ...answer, text: bytes.toString() })
            },
            onResponseError(_, error) {
              const code = String((error as NodeJS.ErrnoException).code ?? error.name)
              const isOurs = code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED'
              end(new AttemptFailed(isOurs ? { kind: 'closed' } : faultOfError(code), code))
            },
          },
        )
      })
    },

    redact: text => secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text),

    close: () => pool.destroy(),
  }
}

/** Hosts; the same host again gets a number. */
export function labelEndpoints(urls: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return urls.map(url => {
    const { host } = new URL(url)
    const times = (seen.get(host) ?? 0) + 1
    seen.set(host, times)
    return times === 1 ? host : `${host}#${times}`
  })
}

const basicCredentials = ({ username, password }: URL) =>
  `Basic ${Buffer.from([username, password].map(percentDecode).join(':')).toString('base64')}`

/** A `%` that nobody encoded stands for itself: a key may hold one. */
const percentDecode = (text: string) =>
  text.replace(/(?:%[\da-f]{2})+/gi, bytes => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())

const SECRET_LENGTH_MIN = 6

/** Whatever of a URL may be a key: user, password, parts of the path, values of the query. Longest first. */
function secretsOf({ username, password, pathname, search, searchParams }: URL): string[] {
  const parts = [username, password, pathname, search, ...pathname.split('/'), ...searchParams.values()]
  return parts.filter(part => part.length >= SECRET_LENGTH_MIN).sort((a, b) => b.length - a.length)
}

/** Seconds, or the date of an HTTP header. */
function readRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
