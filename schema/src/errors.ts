/** Every error that a caller can get: its status and public text. Internal details go to the log with the request id. */
export const ERRORS = {
  BAD_REQUEST: { status: 400, text: 'Bad request' },
  INVALID_INPUT: { status: 400, text: 'Invalid input data' },
  INVALID_JSON: { status: 400, text: '✖ Invalid JSON body' },
  INVALID_NETWORK: { status: 400, text: '✖ Invalid network' },
  INVALID_STATUS: { status: 400, text: '✖ Invalid status' },
  INVALID_SPOTLIGHT: { status: 400, text: '✖ Invalid spotlight' },
  ACCESS_TOKEN_REQUIRED: { status: 400, text: 'accessToken is required' },
  INVALID_SOCIAL_TOKEN: { status: 400, text: 'Invalid social verification token' },
  GENESIS_NOT_FOUND: { status: 400, text: 'Genesis account not found' },
  LAUNCH_NOT_FINALIZED: { status: 400, text: 'Launch is not finalized' },
  LAUNCH_MISMATCH: { status: 400, text: 'Launch does not match the chain' },
  NO_REWARDS: { status: 400, text: 'No rewards available to claim' },
  INVALID_WALLET: { status: 400, text: '✖ Invalid wallet address' },
  INVALID_PAYER: { status: 400, text: '✖ Invalid payer address' },
  NETWORK_NOT_SERVED: { status: 400, text: '✖ Network does not match this server' },
  SOCIAL_REJECTED: { status: 401, text: 'Could not verify social account' },
  NOT_AGENT_OWNER: { status: 403, text: 'Only the agent owner can withdraw funds' },
  NOT_FOUND: { status: 404, text: 'Not found' },
  AGENT_NOT_FOUND: { status: 404, text: 'Agent not found' },
  AGENT_CARD_NOT_FOUND: { status: 404, text: 'Agent card not found' },
  LAUNCH_NOT_FOUND: { status: 404, text: 'Launch not found' },
  TOKEN_NOT_FOUND: { status: 404, text: 'Token not found' },
  METHOD_NOT_ALLOWED: { status: 405, text: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, text: 'Request timeout' },
  BODY_TOO_LARGE: { status: 413, text: 'Request body too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, text: 'Unsupported media type, send application/json' },
  TOO_MANY_REQUESTS: { status: 429, text: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, text: 'Request header fields too large' },
  INTERNAL: { status: 500, text: 'Internal server error' },
  FETCH_AGENT_FAILED: { status: 500, text: 'Failed to fetch agent' },
  WITHDRAW_FAILED: { status: 500, text: 'Failed to prepare withdraw transaction' },
  SOCIAL_USERNAME_MISSING: { status: 502, text: 'Could not retrieve social username' },
  SERVICE_UNAVAILABLE: { status: 503, text: 'Service unavailable' },
} as const satisfies Record<string, { status: number; text: string }>

export type ErrorCode = keyof typeof ERRORS

/** Thrown by a feature to answer with a row of the table. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, options?: ErrorOptions) {
    super(ERRORS[code].text, options)
    this.name = 'ServiceError'
    this.code = code
  }
}
