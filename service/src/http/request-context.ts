import type { Allowance } from './ingress/rate-limit.ts'

/** A request and its answer, as far as they are known. One object for all who deal with it: there is one per request. */
export interface Exchange {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly client: string
  readonly startMs: number
  readonly allowance: Allowance | undefined
  /** The server is stopping: nothing more is answered on this connection. */
  readonly isLast: boolean
  /** The pattern of the path, for metrics: never the path itself, which callers choose. */
  route: string
  /** From here on: known at the end. */
  status: number
  ms: number
  /** The caller went away before the last byte. */
  isAborted: boolean
}
