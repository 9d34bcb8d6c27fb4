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

/** Answers one call, whatever its parameters are; `undefined` for a method that does not exist. */
export type CallHandler = (method: string, params: unknown) => { result: unknown } | undefined

/**
 * JSON-RPC 2.0 around `handle`: text in, text out. Notifications (calls without an id) are carried out and get no
 * answer; `undefined` says that there is nothing to send.
 */
export function dispatch(
  text: string,
  handle: CallHandler,
  onFault: (error: unknown) => void,
): string | undefined {
  let request: unknown
  try {
    request = JSON.parse(text)
  } catch {
    return envelope(null, parseError())
  }
  if (!Array.isArray(request)) return answer(request, handle, onFault)
  if (request.length === 0) return envelope(null, invalidRequest())
  if (request.length > BATCH_MAX) return envelope(null, invalidRequest(`Batch too large; max ${BATCH_MAX}`))
  const answers = request.flatMap(entry => answer(entry, handle, onFault) ?? [])
  return answers.length > 0 ? `[${answers.join(',')}]` : undefined
}

function answer(
  request: unknown,
  handle: CallHandler,
  onFault: (error: unknown) => void,
): string | undefined {
  if (typeof request !== 'object' || request === null) return envelope(null, invalidRequest())
  const { id, method, params, jsonrpc } = request as Record<string, unknown>
  const named = id === null || typeof id === 'string' || typeof id === 'number'
  const versioned = jsonrpc === '2.0' || jsonrpc === undefined || jsonrpc === null
  if (typeof method !== 'string' || !versioned || (id !== undefined && !named)) {
    return envelope(named ? id : null, invalidRequest())
  }
  if (jsonrpc !== '2.0') return id === undefined ? undefined : envelope(id, invalidVersion())
  let outcome: RpcError | { result: unknown }
  try {
    outcome = handle(method, params) ?? methodNotFound()
  } catch (error) {
    if (!(error instanceof RpcError)) onFault(error)
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
