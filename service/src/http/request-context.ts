import type { IncomingMessage } from 'node:http'
import type { FinishedRequest } from '../telemetry/request-recorder.ts'
import type { Connection } from './ingress/connections.ts'
import type { Allowance } from './ingress/rate-limit.ts'

/** Everything known about a request and its answer. There is one object per request, which all parts share. */
export interface RequestContext extends FinishedRequest {
  readonly startMs: number
  readonly allowance: Allowance | undefined
  readonly connection: Pick<Connection, 'isClosing'>
  /** This is the last answer on its connection. */
  isLast: boolean
}

/** The name of the route in the log and the metrics, for a request that has none. */
export const NO_ROUTE = 'none'

const contexts = new WeakMap<IncomingMessage, RequestContext>()

export function setContext(request: IncomingMessage, context: RequestContext): void {
  contexts.set(request, context)
}

export function contextOf(request: IncomingMessage): RequestContext {
  const context = contexts.get(request)
  if (!context) throw new Error('the request has no context: it did not come through the ingress')
  return context
}
