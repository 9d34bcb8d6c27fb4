import { Pool } from 'undici'
import { AttemptFailed, faultOfError, malformed } from './fault.ts'

/** One RPC URL of a network. */
export interface RpcEndpoint {
  /** Its host. The rest of a URL often holds a key and must not be shown. */
  label: string
  /** Rejects with `AttemptFailed`. */
  post(body: string, limits: PostLimits): Promise<HttpResponse>
  /** Removes the secrets of the URL from a text, in case a node repeats them. */
  redact(text: string): string
  close(): Promise<void>
}

export interface PostLimits {
  timeoutMs: number
  bytesMax: number
  /** If true, a longer response is not an error: the rest of it is not read. */
  cuts?: boolean
}

export interface HttpResponse {
  status: number
  text: string
  /** Whether only the beginning was read. */
  isCut?: boolean
  retryAfterMs: number | undefined
}

const CONNECTIONS_MAX = 128
const CONNECT_TIMEOUT_MS = 1_000
/** Shorter than the idle time of common load balancers. */
const KEEP_ALIVE_MS = 30_000

export function createRpcEndpoint(href: string, label: string): RpcEndpoint {
  const url = new URL(href)
  const pool = new Pool(url.origin, {
    connections: CONNECTIONS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Our own timeouts start with the call and include queueing; undici's are coarse.
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

    post(body, { timeoutMs, bytesMax, cuts = false }) {
      return new Promise((resolve, reject) => {
        let abort: ((reason: Error) => void) | undefined
        let isOver = false
        const answerWith = (isCut: boolean) => {
          isOver = true
          clearTimeout(timer)
          const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)
          resolve({ ...answer, text: bytes.toString(), isCut })
        }
        const end = (error: AttemptFailed) => {
          if (isOver) return
          isOver = true
          clearTimeout(timer)
          reject(error)
          abort?.(error)
        }
        const late = () =>
          end(new AttemptFailed({ kind: 'timeout' }, `no answer in ${Math.round(timeoutMs)} ms`))
        // Wait one more turn of the event loop: if we were busy, the answer may have arrived already.
        const timer = setTimeout(() => setImmediate(late), timeoutMs)
        let answer = { status: 0, retryAfterMs: undefined as number | undefined }
        const chunks: Buffer[] = []
        let size = 0
        pool.dispatch(
          { method: 'POST', path, headers, body },
          {
            onRequestStart(controller) {
              // The call may have ended while it waited for a connection.
              if (isOver) controller.abort(new Error('too late'))
              else abort = reason => controller.abort(reason)
            },
            onResponseStart(_, status, received) {
              // A status below 200 only announces the response.
              if (status >= 200) answer = { status, retryAfterMs: parseRetryAfter(received['retry-after']) }
            },
            onResponseData(_, chunk) {
              if (isOver) return
              size += chunk.length
              if (size > bytesMax && !cuts) return end(malformed(`more than ${bytesMax} bytes`))
              chunks.push(chunk)
              if (size <= bytesMax) return
              answerWith(true)
              abort?.(new Error('enough'))
            },
            onResponseEnd() {
              if (!isOver) answerWith(false)
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

/** Labels are hosts; a repeated host gets a number. */
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

/** A `%` that is not part of an escape is taken literally: a key may contain one. */
const percentDecode = (text: string) =>
  text.replace(/(?:%[\da-f]{2})+/gi, bytes => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())

const SECRET_LENGTH_MIN = 6

/** The parts of a URL that may be a key: user, password, path segments, query values. Longest first. */
function secretsOf({ username, password, pathname, search, searchParams }: URL): string[] {
  const parts = [username, password, pathname, search, ...pathname.split('/'), ...searchParams.values()]
  return parts.filter(part => part.length >= SECRET_LENGTH_MIN).sort((a, b) => b.length - a.length)
}

/** `Retry-After` in seconds or as a date. */
function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
