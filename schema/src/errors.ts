import { z } from 'zod'

/**
 * Every error that a caller can get: its status and public text. Internal details go to the log with the request id.
 */
export const ERRORS = {
  BAD_REQUEST: { status: 400, text: 'Bad request' },
  INVALID_INPUT: { status: 400, text: 'Invalid input data' },
  VALIDATION_FAILED: { status: 400, text: 'Validation failed' },
  UNSUPPORTED_LAUNCH_TYPE: { status: 400, text: 'Unsupported launch type' },
  UNSUPPORTED_ALLOCATION_TYPE: { status: 400, text: 'Unsupported allocation type' },
  INVALID_JSON: { status: 400, text: '✖ Invalid JSON body' },
  INVALID_NETWORK: { status: 400, text: '✖ Invalid network' },
  INVALID_STATUS: { status: 400, text: '✖ Invalid status' },
  INVALID_SPOTLIGHT: { status: 400, text: '✖ Invalid spotlight' },
  INVALID_QUERY: { status: 400, text: '✖ Invalid query' },
  INVALID_SORT: { status: 400, text: '✖ Invalid sort' },
  INVALID_MECHANIC: { status: 400, text: '✖ Invalid mechanic' },
  INVALID_CREATOR: { status: 400, text: '✖ Invalid creator address' },
  INVALID_MIN_SLOT: { status: 400, text: '✖ Invalid minSlot' },
  INVALID_LIMIT: { status: 400, text: '✖ Invalid limit' },
  INVALID_CURSOR: { status: 400, text: '✖ Invalid cursor' },
  INVALID_CLOSED: { status: 400, text: '✖ Invalid closed' },
  INVALID_FIGURES: { status: 400, text: '✖ Invalid figures' },
  INVALID_INTERVAL: { status: 400, text: '✖ Invalid interval' },
  INVALID_KIND: { status: 400, text: '✖ Invalid kind' },
  INVALID_TIME: { status: 400, text: '✖ Invalid time' },
  INVALID_SIDE: { status: 400, text: '✖ Invalid side' },
  INVALID_MODE: { status: 400, text: '✖ Invalid mode' },
  INVALID_AMOUNT: { status: 400, text: '✖ Invalid amount' },
  INVALID_SLIPPAGE: { status: 400, text: '✖ Invalid slippage' },
  AMOUNT_TOO_SMALL: { status: 400, text: '✖ Amount too small' },
  INSUFFICIENT_BALANCE: { status: 400, text: 'Insufficient balance' },
  PAYER_LIMIT: { status: 400, text: 'This can cost the payer more than payerMax' },
  INVALID_TYPES: { status: 400, text: '✖ Invalid types' },
  INVALID_ADDRESS: { status: 400, text: '✖ Invalid address' },
  ACCESS_TOKEN_REQUIRED: { status: 400, text: 'accessToken is required' },
  INVALID_SOCIAL_TOKEN: { status: 400, text: 'Invalid social verification token' },
  GENESIS_NOT_FOUND: { status: 400, text: 'Genesis account not found' },
  LAUNCH_NOT_FINALIZED: { status: 400, text: 'Launch is not finalized' },
  LAUNCH_MISMATCH: { status: 400, text: 'Launch does not match the chain' },
  NOTHING_TO_CLAIM: { status: 400, text: 'Nothing to claim' },
  NOTHING_TO_WITHDRAW: { status: 400, text: 'Nothing to withdraw' },
  NO_REWARDS: { status: 400, text: 'No rewards available to claim' },
  COLLECTION_NOT_FOUND: { status: 400, text: 'Collection not found' },
  ASSET_EXISTS: { status: 400, text: 'Asset already exists' },
  NOT_AN_EXECUTIVE: { status: 400, text: 'Not an executive' },
  ALREADY_EXECUTIVE: { status: 400, text: 'Already an executive' },
  ALREADY_DELEGATED: { status: 400, text: 'Already delegated' },
  NO_SUCH_DELEGATION: { status: 400, text: 'No such delegation' },
  INVALID_WALLET: { status: 400, text: '✖ Invalid wallet address' },
  INVALID_PAYER: { status: 400, text: '✖ Invalid payer address' },
  INVALID_PAYER_MAX: { status: 400, text: '✖ Invalid payerMax' },
  INVALID_UNWRAP: { status: 400, text: '✖ Invalid unwrap' },
  NETWORK_NOT_SERVED: { status: 400, text: '✖ Network does not match this server' },
  SOCIAL_REJECTED: { status: 401, text: 'Could not verify social account' },
  TWITTER_REJECTED: { status: 401, text: 'Could not verify Twitter account' },
  INVALID_SIGNATURE: { status: 401, text: 'Invalid signature' },
  NOT_AUTHORIZED: { status: 403, text: 'Not authorized' },
  FOREIGN_ORIGIN: { status: 403, text: 'Requests from other origins are not accepted here' },
  NOT_AGENT_OWNER: { status: 403, text: 'Only the agent owner can withdraw funds' },
  NOT_FOUND: { status: 404, text: 'Not found' },
  AGENT_NOT_FOUND: { status: 404, text: 'Agent not found' },
  AGENT_CARD_NOT_FOUND: { status: 404, text: 'Agent card not found' },
  LAUNCH_NOT_FOUND: { status: 404, text: 'Launch not found' },
  TOKEN_NOT_FOUND: { status: 404, text: 'Token not found' },
  DOCUMENT_NOT_FOUND: { status: 404, text: 'Document not found' },
  METHOD_NOT_ALLOWED: { status: 405, text: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, text: 'Request timeout' },
  TRADING_NOT_STARTED: { status: 409, text: 'Trading has not started' },
  TRADING_ENDED: { status: 409, text: 'Trading has ended' },
  FIRST_BUY_OPEN: { status: 409, text: 'The reserved first buy is still open' },
  SOLD_OUT: { status: 409, text: 'This launch is sold out and has not graduated yet' },
  POOL_TOO_SMALL: { status: 409, text: 'The pool holds less than that' },
  TRADING_PAUSED: { status: 409, text: 'Trading is paused' },
  TAKES_DEPOSITS: { status: 409, text: 'This launch takes deposits, not trades' },
  NEEDS_OPERATOR: { status: 409, text: "This launch needs its operator's signature" },
  NOT_PRICED: { status: 409, text: "This launch's price can't be computed" },
  RESTRICTED_TOKEN: { status: 409, text: "This launch's tokens have restricted transfers" },
  TOKEN_ACCOUNT_TAKEN: { status: 409, text: "Someone else controls this wallet's token account" },
  TOKEN_FROZEN: { status: 409, text: 'This token account is frozen' },
  TRANSFER_RESTRICTED: { status: 409, text: "This token's transfers are restricted" },
  TRANSACTION_WOULD_FAIL: { status: 409, text: 'This transaction would fail on the chain' },
  TRADES: { status: 409, text: 'This launch trades; use swap' },
  DEPOSITS_NOT_STARTED: { status: 409, text: 'Deposits have not started' },
  DEPOSITS_ENDED: { status: 409, text: 'Deposits have ended' },
  WITHDRAWALS_ENDED: { status: 409, text: 'Withdrawals have ended' },
  NO_WITHDRAWALS: { status: 409, text: 'A presale pays no deposits back' },
  CLAIMS_NOT_STARTED: { status: 409, text: 'Claims have not started' },
  BELOW_MINIMUM: { status: 409, text: 'Below the minimum deposit of …' },
  ABOVE_LIMIT: { status: 409, text: 'Above the limit of … per wallet' },
  ABOVE_DEPOSIT_LIMIT: { status: 409, text: 'Above the limit of … per deposit' },
  COOLDOWN: { status: 409, text: 'Wait … before the next deposit' },
  CAP_REACHED: { status: 409, text: 'The cap is reached' },
  ALLOW_LIST_ONLY: { status: 409, text: 'Only wallets on the allow list may deposit' },
  ABOVE_MAX_COST: { status: 409, text: 'This deposit costs more than your limit' },
  NOT_GRADUATED: { status: 409, text: 'This launch has ended and has not graduated yet' },
  GRADUATED: { status: 409, text: 'This launch has graduated' },
  NOT_ENDED: { status: 409, text: 'This launch has not ended' },
  NO_POOL: { status: 409, text: 'This launch does not become a pool' },
  PRICE_MOVED: { status: 409, text: 'The price has moved beyond your limit' },
  TRADE_WOULD_FAIL: { status: 409, text: 'This trade would fail on the chain' },
  BODY_TOO_LARGE: { status: 413, text: 'Request body too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, text: 'Unsupported media type, send application/json' },
  TOO_MANY_REQUESTS: { status: 429, text: 'Too many requests' },
  TOO_MANY_PENDING: { status: 429, text: 'Too many requests' },
  TOO_MANY_DOCUMENTS: { status: 429, text: 'Too many requests' },
  TOO_MANY_STREAMS: { status: 429, text: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, text: 'Request header fields too large' },
  INTERNAL: { status: 500, text: 'Internal server error' },
  FETCH_AGENT_FAILED: { status: 500, text: 'Failed to fetch agent' },
  WITHDRAW_FAILED: { status: 500, text: 'Failed to prepare withdraw transaction' },
  FUND_FAILED: { status: 500, text: 'Failed to prepare fund transaction' },
  MINT_FAILED: { status: 500, text: 'Failed to prepare mint agent' },
  CREATE_FAILED: { status: 500, text: 'Failed to prepare launch' },
  PREPARE_FAILED: { status: 500, text: 'Failed to prepare transaction' },
  NOT_IMPLEMENTED: { status: 501, text: 'Not implemented' },
  SOCIAL_USERNAME_MISSING: { status: 502, text: 'Could not retrieve social username' },
  TWITTER_USERNAME_MISSING: { status: 502, text: 'Could not retrieve Twitter username' },
  PUBLIC_URL_MISSING: { status: 503, text: 'PUBLIC_URL is not configured' },
  DOCUMENTS_FULL: { status: 503, text: 'Service unavailable' },
  HOLDERS_UNAVAILABLE: { status: 503, text: 'Holders are not available' },
  STREAMS_FULL: { status: 503, text: 'Service unavailable' },
  SERVICE_UNAVAILABLE: { status: 503, text: 'Service unavailable' },
} as const satisfies Record<string, { status: number; text: string }>

export type ErrorCode = keyof typeof ERRORS

/** The response header that has the error's code. */
export const ERROR_HEADER = 'Slipway-Error'

/**
 * One invalid field. The path is as in `launch.allocations.0.supply`; it is empty for the body itself. Trades name
 * the field in a list, as in `['amount']`.
 */
export interface ErrorDetail {
  path: string | readonly string[]
  message: string
  /** The nearest value that would do. */
  allowed?: string
}

/** Thrown by a feature to answer with a row of the table. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly details: readonly ErrorDetail[] | undefined
  /** Absent: the usual value for the code. */
  readonly retryAfterSeconds: number | undefined
  constructor(
    code: ErrorCode,
    options: ErrorOptions & {
      details?: readonly ErrorDetail[]
      /** Replaces the ellipsis in the text, for example with an amount. */
      fill?: string
      retryAfterSeconds?: number
    } = {},
  ) {
    super(ERRORS[code].text.replace('…', options.fill ?? '…'), options)
    this.name = 'ServiceError'
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The shapes of an error body. Every path has one of them, for all of its errors. */
type ErrorFamily = 'agents' | 'launches' | 'registry'

export const ErrorBody = {
  agents: z
    .object({
      success: z.literal(false).meta({ description: 'Always `false` in an error.' }),
      error: z.string().meta({
        description:
          'What went wrong. Some texts contain amounts or times, so compare the code in the `Slipway-Error` header instead.',
      }),
      details: z
        .array(
          z.object({
            path: z.union([z.string(), z.array(z.string())]).meta({
              description:
                'Such as `launch.allocations.0.supply`; empty for the body itself. Trades name the field in a list, such as `["amount"]`.',
            }),
            message: z.string().meta({ description: 'What is wrong with the field.' }),
            allowed: z
              .string()
              .optional()
              .meta({ description: 'The nearest value that would do, if there is one.' }),
          }),
        )
        .optional()
        .meta({ description: 'The invalid fields, where the endpoint reports them.' }),
    })
    .meta({
      id: 'AgentsError',
      description:
        'Errors of agents and social verification, and of every POST and PUT under `/v1/launches/`.',
    }),
  launches: z
    .object({
      error: z
        .object({
          message: z.string().meta({
            description:
              'What went wrong. Some texts contain amounts or times, so compare the code in the `Slipway-Error` header instead.',
          }),
          code: z.string().optional().meta({ description: 'The code, where a parameter has a limit.' }),
          parameter: z.string().optional().meta({ description: 'The parameter at fault.' }),
          allowed: z.string().optional().meta({ description: 'The nearest value that would do.' }),
        })
        .meta({ description: 'The error.' }),
    })
    .meta({
      id: 'LaunchesError',
      description: 'Errors of launches, tokens, creator rewards, documents and events.',
    }),
  registry: z
    .object({
      errorCode: z.string().meta({ description: 'A code of the ARD specification.' }),
      message: z.string().meta({ description: 'What went wrong, and with which field.' }),
    })
    .meta({ id: 'RegistryError', description: 'Errors of the registry, as the ARD specification has them.' }),
}

/** The codes of the ARD specification. */
const REGISTRY_CODES: Partial<Record<number, string>> = {
  404: 'NOT_FOUND',
  429: 'RATE_LIMIT_EXCEEDED',
  500: 'INTERNAL_ERROR',
  501: 'NOT_IMPLEMENTED',
  503: 'UNAVAILABLE',
}

/** Decides the shape from the request line. Unknown paths have the shape of launches. */
export function errorFamilyOf(method: string, rawPath: string): ErrorFamily {
  const path = readable(rawPath)
  if (isUnder(path, '/ard')) return 'registry'
  if (/^\/v1\/networks\/[^/]+\/agents(?:\/|$)/.test(path)) return 'agents'
  if (['/v1/agents', '/v1/executives', '/v1/social', '/v1/twitter'].some(prefix => isUnder(path, prefix)))
    return 'agents'
  // `GET /launches/register` looks up a launch by that name; only other methods are registration. The same for
  // `create`.
  const isNamed = ['/v1/launches/register', '/v1/launches/create'].some(prefix => isUnder(path, prefix))
  if (isNamed && !['GET', 'HEAD'].includes(method)) return 'agents'
  if (/^\/v1\/launches\/[^/]+\/links$/.test(path)) return 'agents'
  if (['POST', 'PUT'].includes(method) && path.startsWith('/v1/launches/')) return 'agents'
  return 'launches'
}

/** The shape of launches has no `details`. It names a parameter whose limit was exceeded, and the value that would do. */
export function errorBody(
  family: ErrorFamily,
  code: ErrorCode,
  details?: readonly ErrorDetail[],
  text: string = ERRORS[code].text,
): object {
  if (family === 'launches') {
    const limit = details?.find(({ allowed }) => allowed !== undefined)
    const about = limit && { code, parameter: [limit.path].flat().join('.'), allowed: limit.allowed }
    return { error: { message: text, ...about } }
  }
  if (family === 'registry') {
    const fields = (details ?? []).map(({ path, message }) => `${[path].flat().join('.')} ${message}`)
    return {
      errorCode: REGISTRY_CODES[ERRORS[code].status] ?? 'INVALID_ARGUMENT',
      message: [text, ...fields.slice(0, 1)].join(': '),
    }
  }
  return { success: false, error: text, ...(details && { details }) }
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}

/** A misspelt path is a 404, but in the shape of the family that it resembles. */
function readable(rawPath: string): string {
  const path = rawPath.split('?', 1)[0] ?? ''
  return path
    .replace(/%[0-9a-f]{2}/gi, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    .replace(/\/{2,}/g, '/')
    .toLowerCase()
}
