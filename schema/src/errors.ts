/**
 * Every error that a caller can meet: its status and its public text.
 * What is wrong inside goes to the log with the request's id, never into these.
 */
export const ERRORS = {
  BAD_REQUEST: { status: 400, text: 'Bad request' },
  INVALID_INPUT: { status: 400, text: 'Invalid input data' },
  INVALID_JSON: { status: 400, text: '✖ Invalid JSON body' },
  INVALID_NETWORK: { status: 400, text: '✖ Invalid network' },
  INVALID_STATUS: { status: 400, text: '✖ Invalid status' },
  INVALID_SPOTLIGHT: { status: 400, text: '✖ Invalid spotlight' },
  NOT_FOUND: { status: 404, text: 'Not found' },
  LAUNCH_NOT_FOUND: { status: 404, text: 'Launch not found' },
  TOKEN_NOT_FOUND: { status: 404, text: 'Token not found' },
  METHOD_NOT_ALLOWED: { status: 405, text: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, text: 'Request timeout' },
  BODY_TOO_LARGE: { status: 413, text: 'Request body too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, text: 'Unsupported media type, send application/json' },
  TOO_MANY_REQUESTS: { status: 429, text: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, text: 'Request header fields too large' },
  INTERNAL: { status: 500, text: 'Internal server error' },
} as const satisfies Record<string, { status: number; text: string }>

export type ErrorCode = keyof typeof ERRORS

/** What a feature throws to answer with a row of the table. The message is for the log. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, options?: ErrorOptions) {
    super(ERRORS[code].text, options)
    this.name = 'ServiceError'
    this.code = code
  }
}
