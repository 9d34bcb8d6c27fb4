import { type FaultKind, RpcError } from '../../chain/rpc/fault.ts'

/** What kind of failure it is, for programs. */
export type Problem =
  | 'bad-input'
  | 'slow'
  | 'refused'
  | 'unreachable'
  | 'wrong-cluster'
  | 'behind'
  | 'in-use'
  | 'full'
  | 'outdated'
  | 'clock'

/** One line of the doctor's report. */
export interface Check {
  name: string
  /** A warning is a risk or a missing convenience. Only a failure fails the command. */
  status: 'ok' | 'warning' | 'failed'
  message: string
  problem: Problem | null
  /** What to do. Null if there is nothing to do. */
  remedy: string | null
}

export const ok = (name: string, message: string): Check => ({
  name,
  status: 'ok',
  message,
  problem: null,
  remedy: null,
})

const problem =
  (status: 'warning' | 'failed') =>
  (name: string, kind: Problem, message: string, remedy: string): Check => ({
    name,
    status,
    message,
    problem: kind,
    remedy,
  })
export const warn = problem('warning')
export const fail = problem('failed')

export const formatMs = (ms: number) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

/** What a failed call to a node means for an operator. */
export function problemOf(error: unknown): Problem {
  return error instanceof RpcError ? (PROBLEMS[error.kind] ?? 'refused') : 'refused'
}

const PROBLEMS: Partial<Record<FaultKind, Problem>> = {
  timeout: 'slow',
  reset: 'unreachable',
  unreachable: 'unreachable',
  failed: 'unreachable',
  unhealthy: 'behind',
  lagging: 'behind',
}
