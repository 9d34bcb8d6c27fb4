import { createEtagCache } from './etag-cache.ts'
import { pause } from './pause.ts'
import { parseErrorResponse, SlipwayError } from './slipway-error.ts'
import type { Network } from './types.ts'

export interface CallOptions {
  /** Cancels the call and its retries. The call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds that each attempt may take; that of the client by default. */
  timeoutMs?: number | undefined
  /** How often a failed attempt is repeated; that of the client by default. */
  retries?: number | undefined
}

export interface ReadOptions extends CallOptions {
  /** The network; that of the client by default. */
  network?: Network | undefined
}

/** Of calls that read the chain for a wallet. */
export interface WalletReadOptions extends ReadOptions {
  /** The slot in which your transaction was confirmed: the answer is as of that slot or later. */
  minSlot?: number | undefined
}

/** A request as the calls describe it. */
export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Values that are undefined are left out. */
  query?: object | undefined
  body?: object | undefined
  /** False if a second request could be refused because the first one was accepted. */
  isRepeatable?: boolean
}

export interface TransportSettings {
  url: string
  fetch: typeof globalThis.fetch
  retries: number
  timeoutMs: number
  cacheSize: number
}

/** Sends a request to the API and returns the JSON of its answer. */
export type Transport = (request: ApiRequest, options?: CallOptions) => Promise<unknown>

export function createTransport(settings: TransportSettings): Transport {
  const etags = createEtagCache(settings.cacheSize)

  async function attempt(request: ApiRequest, options: CallOptions): Promise<unknown> {
    const { method = 'GET' } = request
    const body = request.body && JSON.stringify(request.body)
    const url = buildUrl(settings.url, request)
    const cached = method === 'GET' ? etags.find(url) : undefined
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(cached && { 'if-none-match': cached.etag }),
    }
    const { response, text } = await exchange(signal =>
      settings.fetch(url, { method, headers, signal, ...(body && { body }) }),
    )
    if (response.status === 304 && cached) return JSON.parse(cached.text)
    if (!response.ok) throw parseErrorResponse(response, text)
    const value = parseJson(response, text)
    const etag = response.headers.get('etag')
    if (method === 'GET' && etag) etags.save(url, { etag, text })
    return value

    /** The time limit covers the body too. */
    async function exchange(send: (signal: AbortSignal) => Promise<Response>) {
      const { signal, timeoutMs = settings.timeoutMs } = options
      const controller = new AbortController()
      const abort = () => controller.abort(signal?.reason)
      const timer = setTimeout(() => controller.abort(TIMED_OUT), Math.min(timeoutMs, TIMER_MS_MAX))
      signal?.addEventListener('abort', abort)
      try {
        signal?.throwIfAborted()
        const response = await send(controller.signal)
        return { response, text: await response.text() }
      } catch (cause) {
        signal?.throwIfAborted()
        if (controller.signal.aborted)
          throw new SlipwayError(`No response from ${settings.url} within ${timeoutMs} ms`, {
            code: 'TIMEOUT',
          })
        throw new SlipwayError(`Could not reach ${settings.url}: ${reasonOf(cause)}`, {
          code: 'NETWORK_ERROR',
          cause,
        })
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
    }
  }

  return async (request, options = {}) => {
    const retriesMax = request.isRepeatable === false ? 0 : (options.retries ?? settings.retries)
    for (let retries = 0; ; retries += 1) {
      try {
        return await attempt(request, options)
      } catch (error) {
        const delayMs = retries < retriesMax ? retryDelayMs(error, retries) : undefined
        if (delayMs === undefined) throw error
        await pause(delayMs, options.signal)
      }
    }
  }
}

/** A longer timer would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1
const TIMED_OUT = new Error('timed out')
const RETRIED = [0, 429, 502, 503, 504]
/** These are a 500 whatever happened. `Retry-After` says that it was an outage or too much load, which will pass. */
const RETRIED_IF_ASKED: readonly SlipwayError['code'][] = [
  'FETCH_AGENT_FAILED',
  'WITHDRAW_FAILED',
  'FUND_FAILED',
  'MINT_FAILED',
  'CREATE_FAILED',
  'PREPARE_FAILED',
]
const RETRY_AFTER_MAX_S = 30
const DELAY_MS = 300
const DELAY_MS_MAX = 5_000

/** Undefined if another try is pointless, or would have to wait for too long. */
export function retryDelayMs(error: unknown, retries: number): number | undefined {
  if (!(error instanceof SlipwayError)) return undefined
  const isAsked = error.retryAfter !== undefined && RETRIED_IF_ASKED.includes(error.code)
  if (!isAsked && !RETRIED.includes(error.status)) return undefined
  // Only the operator can fix this error.
  if (error.code === 'PUBLIC_URL_MISSING') return undefined
  const { retryAfter } = error
  if (retryAfter !== undefined && retryAfter > RETRY_AFTER_MAX_S) return undefined
  // Clients that failed together must not come back together.
  const backoffMs = Math.min(DELAY_MS_MAX, DELAY_MS * 2 ** retries) * (0.5 + Math.random() / 2)
  return (retryAfter ?? 0) * 1_000 + backoffMs
}

/** The parts of a path are encoded here, so that an address from a stranger cannot lead elsewhere. */
export function pathOf(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodePart))
}

/** URLs resolve `.` and `..`, even if they are encoded once. */
function encodePart(value: string): string {
  if (typeof value !== 'string' || value === '') throw new TypeError('An address or hash is missing')
  return encodeURIComponent(/^\.\.?$/.test(value) ? value.replaceAll('.', '%2E') : value)
}

export function buildUrl(base: string, { path, query = {} }: Pick<ApiRequest, 'path' | 'query'>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.set(name, textOf(value))
  const text = parameters.toString()
  return `${base}${path}${text && `?${text}`}`
}

const textOf = (value: unknown) => (value instanceof Date ? value.toISOString() : `${value}`)

function parseJson(response: Response, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SlipwayError('Unexpected response: not JSON', {
      status: response.status,
      code: 'UNKNOWN_RESPONSE',
      requestId: response.headers.get('x-request-id') ?? undefined,
      cause,
    })
  }
}

/** Node hides the reason in the cause of "fetch failed". */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } }
  return cause?.message || cause?.code || message || `${error}`
}
