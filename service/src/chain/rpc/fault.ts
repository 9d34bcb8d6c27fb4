/**
 * What went wrong with one attempt at one endpoint. Only decide.ts decides what follows from it.
 *
 * - `reset`: an open connection broke, often one that had been idle for too long
 * - `unreachable`: no connection could be made: name, port, certificate
 * - `timeout`: no complete response in time
 * - `limited`: too many requests
 * - `failed`: HTTP 5xx
 * - `refused`: another HTTP status, because of a key, a plan or a path
 * - `malformed`: an invalid response: not JSON, another id, another shape, too long
 * - `garbled`: the same, but content written by strangers may be the reason
 * - `lagging`: the node is behind the newest slot seen so far
 * - `unhealthy`: the node itself says that it is behind
 * - `passing`: the node could not answer this time
 * - `unable`: this node does not support the request; another may
 * - `invalid`: the request is invalid for every node
 * - `foreign`: the endpoint belongs to another cluster
 * - `unchecked`: the store that remembers our cluster can't be reached, so the endpoint can't be checked
 * - `incomplete`: the endpoint lacks accounts that another one has
 * - `closed`: we are stopping
 */
export type Fault =
  | { kind: Exclude<FaultKind, 'limited' | 'lagging'> }
  | { kind: 'limited'; retryAfterMs: number | undefined }
  | { kind: 'lagging'; slots: number }

export type FaultKind =
  | 'reset'
  | 'unreachable'
  | 'timeout'
  | 'limited'
  | 'failed'
  | 'refused'
  | 'malformed'
  | 'garbled'
  | 'lagging'
  | 'unhealthy'
  | 'passing'
  | 'unable'
  | 'invalid'
  | 'foreign'
  | 'unchecked'
  | 'incomplete'
  | 'closed'

/** One attempt failed. The message is for the log and contains nothing of the URL. */
export class AttemptFailed extends Error {
  readonly fault: Fault
  readonly code: number | undefined

  constructor(fault: Fault, detail: string, code?: number) {
    super(detail)
    this.fault = fault
    this.code = code
  }
}

export const malformed = (detail: string) => new AttemptFailed({ kind: 'malformed' }, detail)

/** The fault for an HTTP status other than 200. */
export function faultOfStatus(status: number, retryAfterMs: number | undefined): Fault {
  if (status === 429) return { kind: 'limited', retryAfterMs }
  if (status >= 500 || status === 408) return { kind: 'failed' }
  return { kind: 'refused' }
}

const CODES = new Map<number, FaultKind>([
  [-32005, 'unhealthy'],
  [-32603, 'passing'], // internal error
  [-32004, 'passing'], // block not available
  [-32012, 'passing'], // the scan was aborted
  [-32014, 'passing'], // block status not available yet
  [-32019, 'passing'], // long-term storage unreachable
  [-32601, 'unable'], // method not found
  [-32700, 'invalid'], // not JSON
  [-32600, 'invalid'], // not a request
  [-32602, 'invalid'], // wrong parameters
  [-32002, 'invalid'], // the simulation failed
  [-32003, 'invalid'], // wrong signature
  [-32006, 'invalid'], // wrong signature in a precompile instruction
  [-32013, 'invalid'], // wrong length of a signature
  [-32018, 'invalid'], // not the first slot of an epoch
])

/** The transaction is of a newer version than the request allows. */
export const UNSUPPORTED_VERSION = -32015
/** The node has pruned the transaction that a list should begin or end at, or a fork has dropped it. */
export const UNKNOWN_CURSOR = -32020

const LIMITED = new Set([429, -32429])
const LAGGING = -32016

/** The fault for a JSON-RPC error. `slots` is how far behind the node says it is. */
export function faultOfCode(code: number, slots: number): Fault {
  if (code === LAGGING) return { kind: 'lagging', slots }
  if (LIMITED.has(code)) return { kind: 'limited', retryAfterMs: undefined }
  // Codes in this range depend on the node: a block that it has not kept, a version that it can't return.
  const isOfNode = code <= -32000 && code >= -32099
  // Any other code is the provider's own: about a key, a plan or a limit.
  return { kind: CODES.get(code) ?? (isOfNode ? 'unable' : 'refused') } as Fault
}

/** The fault for the code, or else the name, of a socket's or undici's error. */
export function faultOfError(code: string): Fault {
  if (BROKEN.has(code)) return { kind: 'reset' }
  return {
    kind: /^HPE_|^HTTPParserError$|^UND_ERR_(HEADERS|RES_|RESPONSE)/.test(code) ? 'malformed' : 'unreachable',
  }
}

const BROKEN = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'])

/** A call that no endpoint answered. Its message names hosts, never URLs, which may contain keys. */
export class RpcError extends Error {
  readonly kind: FaultKind
  /** The code of the node's own error, if there was one. */
  readonly code: number | undefined
  /** Those of all attempts: the last one need not say most. */
  readonly codes: readonly number[]

  constructor(
    method: string,
    {
      kind,
      code,
      codes = code === undefined ? [] : [code],
      endpoint,
      detail,
      attempts,
    }: {
      kind: FaultKind
      code: number | undefined
      codes?: readonly number[]
      endpoint: string
      detail: string
      attempts: number
    },
  ) {
    const times = attempts === 1 ? '' : `, the last of ${attempts} attempts`
    super(`${method} failed: ${kind} at ${endpoint} (${detail})${times}`)
    this.name = 'RpcError'
    this.kind = kind
    this.code = code
    this.codes = codes
  }
}
