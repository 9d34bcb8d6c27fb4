import { API_ERROR_CODES, type ApiErrorCode } from './error-codes.ts'

/** Why there is no answer of the API. */
export type ClientErrorCode =
  /** No response: the connection could not be made, or broke. `status` is 0. */
  | 'NETWORK_ERROR'
  /** No complete response within `timeoutMs`. `status` is 0. */
  | 'TIMEOUT'
  /**
   * The code is missing or unknown to this version. The response may come from a proxy or a different version of
   * Slipway.
   */
  | 'UNKNOWN_RESPONSE'

/** One invalid field. */
export interface ErrorDetail {
  /** As in `launch.allocations.0.supply`; empty for the body itself. */
  path: string
  message: string
}

/** Every failure of a call, whether the API reported it or could not be reached. */
export class SlipwayError extends Error {
  override readonly name = 'SlipwayError'
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /** Stable, and documented in the API's list of errors. Compare with this rather than with `message`. */
  readonly code: ApiErrorCode | ClientErrorCode
  /** The invalid fields, where the endpoint reports them. */
  readonly details: readonly ErrorDetail[] | undefined
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  /** Seconds to wait before another try, if the service says so. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    {
      status = 0,
      code,
      details,
      requestId,
      retryAfter,
      cause,
    }: {
      status?: number | undefined
      code: ApiErrorCode | ClientErrorCode
      details?: readonly ErrorDetail[] | undefined
      requestId?: string | undefined
      retryAfter?: number | undefined
      cause?: unknown
    },
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** The error in a response with a failed status, in either of the API's two shapes or in none. */
export function parseErrorResponse(response: Response, text: string): SlipwayError {
  const { status, headers } = response
  const { error, details } = parseObject(text)
  const message = typeof error === 'string' ? error : asObject(error).message
  const common = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: parseRetryAfter(headers.get('retry-after')),
  }
  const code = parseCode(headers.get('slipway-error'))
  if (typeof message !== 'string')
    return new SlipwayError(`Unexpected response: ${status} ${response.statusText}`.trim(), {
      ...common,
      code,
    })
  return new SlipwayError(message, { ...common, code, details: parseDetails(details) })
}

const parseCode = (value: string | null) => API_ERROR_CODES.find(code => code === value) ?? 'UNKNOWN_RESPONSE'

function parseObject(text: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return {}
  }
}

const asObject = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>

function parseDetails(details: unknown): ErrorDetail[] | undefined {
  if (!Array.isArray(details)) return undefined
  return details.map(detail => {
    const { path, message } = asObject(detail)
    return { path: Array.isArray(path) ? path.join('.') : `${path ?? ''}`, message: `${message ?? ''}` }
  })
}

/** In seconds. A proxy may send a date instead. */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
