/**
 * What went wrong with one attempt at one endpoint. What follows from it is decided in decide.ts and nowhere else.
 *
 * - `reset`: an open connection broke, often one that had been idle for too long
 * - `unreachable`: there was no connection: name, port, certificate
 * - `timeout`: no whole answer in time
 * - `limited`: too many requests
 * - `failed`: HTTP 5xx
 * - `refused`: another HTTP status: a key, a plan, a path
 * - `malformed`: an answer that cannot be one: not JSON, another id, another shape, too long
 * - `lagging`: an answer, or its refusal, from behind what has already been seen
 * - `unhealthy`: the node itself says that it is behind
 * - `passing`: the node could not this time
 * - `unable`: this node does not do that; another may
 * - `invalid`: the question is wrong, whoever is asked
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
  | 'lagging'
  | 'unhealthy'
  | 'passing'
  | 'unable'
  | 'invalid'
  | 'foreign'
  | 'unchecked'
  | 'incomplete'
  | 'closed'

/** Thrown by whoever sees the fault; `detail` is for the log and holds nothing of the URL. */
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

/** By the status of an HTTP answer other than 200. */
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
  [-32002, 'invalid'], // the simulation failed
  [-32003, 'invalid'], // a signature is wrong
  [-32006, 'invalid'], // a signature that a program checks is wrong
  [-32013, 'invalid'], // no signature has this length
  [-32015, 'invalid'], // a transaction of a version that was not asked for
  [-32018, 'invalid'], // not the first slot of an epoch
])

const LIMITED = new Set([429, -32429])
const LAGGING = -32016

/** By a JSON-RPC error. `slots`: how far behind the node says it is. */
export function faultOfCode(code: number, slots: number): Fault {
  if (code === LAGGING) return { kind: 'lagging', slots }
  if (LIMITED.has(code)) return { kind: 'limited', retryAfterMs: undefined }
  // Codes of this range are a node's own: a block that it has not kept, an index that it has not built.
  const isOfNode = code <= -32000 && code >= -32099
  return { kind: CODES.get(code) ?? (isOfNode ? 'unable' : 'invalid') } as Fault
}

/** By the code of a socket's or undici's error, or the name of one without a code. */
export function faultOfError(code: string): Fault {
  if (BROKEN.has(code)) return { kind: 'reset' }
  return {
    kind: /^HPE_|^HTTPParserError$|^UND_ERR_(HEADERS|RES_|RESPONSE)/.test(code) ? 'malformed' : 'unreachable',
  }
}

const BROKEN = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'])
