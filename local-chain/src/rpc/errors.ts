import { describeTransactionError, type TransactionError } from '../ledger/transaction-error.ts'

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
