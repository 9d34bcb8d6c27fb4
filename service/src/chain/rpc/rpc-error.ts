import type { FaultKind } from './fault.ts'

/** A call that no endpoint answered. Its message names hosts, never URLs, which may contain keys. */
export class RpcError extends Error {
  readonly kind: FaultKind
  /** The code of the node's own error, if there was one. */
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
    super(`${method} failed: ${kind} at ${endpoint} (${detail})${times}`)
    this.name = 'RpcError'
    this.kind = kind
    this.code = code
  }
}
