import {
  internalError,
  invalidRequest,
  invalidVersion,
  methodNotFound,
  parseError,
  RpcError,
} from './errors.ts'
import { toJson } from './json.ts'

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
