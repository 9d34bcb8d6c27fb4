import type { FaultKind } from './fault.ts'

/** A call that nobody answered. Its message names hosts and never URLs: those may hold keys. */
export class RpcError extends Error {
  readonly kind: FaultKind
  /** Of the node's own error, when there was one. */
  readonly code: number | undefined

  constructor(
    method: string,
    {
      kind,
      code,
      endpoint,
      detail,
      attempts,
    }: {
      kind: FaultKind
      code: number | undefined
      endpoint: string
      detail: string
      attempts: number
    },
  ) {
    const times = attempts === 1 ? '' : `, the last of ${attempts} attempts`
    super(`${method} was not answered: ${kind} at ${endpoint} (${detail})${times}`)
    this.name = 'RpcError'
    this.kind = kind
    this.code = code
  }
}
