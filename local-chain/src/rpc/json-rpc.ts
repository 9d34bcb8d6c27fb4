import { describeTransactionError, type TransactionError } from '../ledger/transaction-error.ts'

const BATCH_MAX = 1_000

/** Handles one call; returns `undefined` if the method does not exist. */
export type CallHandler = (method: string, params: unknown) => { result: unknown } | undefined

/**
 * Handles a JSON-RPC 2.0 request or batch and returns the response text. Notifications (calls without an id) are
 * executed but get no response; `undefined` means that there is nothing to send.
 */
export function dispatch(
  text: string,
  handle: CallHandler,
  onError: (error: unknown) => void,
): string | undefined {
  let request: unknown
  try {
    request = JSON.parse(text)
  } catch {
    return envelope(null, parseError())
  }
  if (!Array.isArray(request)) return respond(request, handle, onError)
  if (request.length === 0) return envelope(null, invalidRequest())
  if (request.length > BATCH_MAX) return envelope(null, invalidRequest(`Batch too large; max ${BATCH_MAX}`))
  const responses = request.flatMap(entry => respond(entry, handle, onError) ?? [])
  return responses.length > 0 ? `[${responses.join(',')}]` : undefined
}

function respond(
  request: unknown,
  handle: CallHandler,
  onError: (error: unknown) => void,
): string | undefined {
  if (typeof request !== 'object' || request === null) return envelope(null, invalidRequest())
  const { id, method, params, jsonrpc } = request as Record<string, unknown>
  const hasId = id === null || typeof id === 'string' || typeof id === 'number'
  const versioned = jsonrpc === '2.0' || jsonrpc === undefined || jsonrpc === null
  if (typeof method !== 'string' || !versioned || (id !== undefined && !hasId)) {
    return envelope(hasId ? id : null, invalidRequest())
  }
  if (jsonrpc !== '2.0') return id === undefined ? undefined : envelope(id, invalidVersion())
  let outcome: RpcError | { result: unknown }
  try {
    outcome = handle(method, params) ?? methodNotFound()
  } catch (error) {
    if (!(error instanceof RpcError)) onError(error)
    outcome = error instanceof RpcError ? error : internalError()
  }
  return id === undefined ? undefined : envelope(id, outcome)
}

function envelope(id: unknown, outcome: RpcError | { result: unknown }): string {
  if (!(outcome instanceof RpcError))
    return `{"jsonrpc":"2.0","result":${toJson(outcome.result)},"id":${toJson(id)}}`
  const { code, message, data } = outcome
  return toJson({ jsonrpc: '2.0', error: { code, message, ...(data !== undefined && { data }) }, id })
}

/** An error for the caller, in a node's format. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const parseError = () => new RpcError(-32700, 'Parse error')
export const invalidRequest = (message = 'Invalid request') => new RpcError(-32600, message)
export const invalidVersion = () => invalidRequest('Unsupported JSON-RPC protocol version')
export const methodNotFound = () => new RpcError(-32601, 'Method not found')
export const invalidParams = (message: string) => new RpcError(-32602, message)
export const internalError = (message = 'Internal error') => new RpcError(-32603, message)

export const simulationFailed = (err: TransactionError, data: object) =>
  new RpcError(-32002, `Transaction simulation failed: ${describeTransactionError(err)}`, data)
export const signatureVerificationFailed = () =>
  new RpcError(-32003, 'Transaction signature verification failure')
export const blockNotAvailable = (slot: number) =>
  new RpcError(-32004, `Block not available for slot ${slot}`)
export const versionNotSupported = (version: number) =>
  new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  )
/** `before` or `until` names a transaction that the chain doesn't know, or knows no longer. */
export const filterTransactionNotFound = (signature: string) =>
  new RpcError(-32020, `Filter transaction ${signature} not found`)
export const minContextSlotNotReached = (contextSlot: number) =>
  new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot })

/** Text that is already JSON. Accounts are encoded this way: visiting each field of 100,000 accounts would be slow. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Encodes JSON with bigints as plain numbers, as a node does: lamports and rent epochs can exceed 2^53. */
export function toJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'bigint':
      return value.toString()
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object': {
      if (value === null) return 'null'
      if (value instanceof RawJson) return value.text
      if (Array.isArray(value)) return `[${value.map(entry => toJson(entry)).join(',')}]`
      const members: string[] = []
      for (const key in value) {
        const entry = (value as Record<string, unknown>)[key]
        if (entry !== undefined) members.push(`${JSON.stringify(key)}:${toJson(entry)}`)
      }
      return `{${members.join(',')}}`
    }
    default:
      return 'null'
  }
}
