import { BLOCKS_TO_EXPIRY, describeBlocks } from '@slipway/launch-model/expiry'
import { ERRORS, type ErrorCode, type ErrorDetail, ServiceError } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import type { Answer, Endpoint } from '../../endpoint/endpoint.ts'
import { networkIn, type Sent } from '../../endpoint/network-input.ts'
import { routeOf } from '../../endpoint/parse-url.ts'
import type { Tool } from '../../endpoint/tool.ts'
import { createDeadline } from '../../lib/deadline.ts'
import type { RequestRecorder } from '../../telemetry/request-recorder.ts'
import type { LoadShedder } from '../ingress/load-shedder.ts'
import type { RateLimiter } from '../ingress/rate-limit.ts'
import { budgetOf, limitKey } from '../ingress/read-request.ts'
import { callHandler, createInputParser } from '../mount-endpoint.ts'
import type { Json } from '../reference/json-schemas.ts'
import type { RequestContext } from '../request-context.ts'
import { errorCodeOf } from '../response/send-error.ts'
import { describeError, type ExplainError } from './explain-error.ts'
import { fitAnswer } from './fit-answer.ts'
import { presentAnswer } from './present-answer.ts'
import {
  type Arguments,
  buildInputSchema,
  findUnfit,
  isPageTooLarge,
  toRequest,
  toText,
} from './tool-input.ts'

export interface ToolResult {
  [name: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent: Record<string, unknown>
  isError?: boolean
}

/** An endpoint as a tool. */
export interface CallableTool {
  endpoint: Endpoint & { tool: Tool }
  inputSchema: Json
  call(sent: Arguments, caller: Caller): Promise<ToolResult>
}

/** The caller: the request that the call came with. */
export type Caller = Pick<RequestContext, 'id' | 'client'>

export interface CallParts {
  limiter: RateLimiter
  shedder: LoadShedder
  recorder: RequestRecorder
  requestMs: number
  explain: ExplainError
  /** How long a slot of a network takes, as it was measured. */
  slotMsOf?: ((network: Network) => number | undefined) | undefined
  onShed(): void
  /** An error that is this service's fault. */
  onFailure(error: Error, code: ErrorCode, requestId: string): void
}

/** A call has the limits, the deadline, the log line and the metrics of a request to the tool's endpoint. */
export function createTool(endpoint: Endpoint & { tool: Tool }, parts: CallParts): CallableTool {
  const { tool, success } = endpoint
  const inputSchema = buildInputSchema(endpoint)
  // A model can correct only errors that it is told about.
  const parse = createInputParser({ ...endpoint, reportsDetails: true })
  const limit = parts.shedder.limitOf(endpoint)

  async function run(sent: Arguments, { client }: Caller): Promise<Record<string, unknown>> {
    const request = toRequest(endpoint, sent)
    const input = parse(request)
    if (!limit.admit()) {
      parts.onShed()
      throw new ServiceError('SERVICE_UNAVAILABLE')
    }
    const deadline = createDeadline(endpoint.limitMs ?? parts.requestMs)
    const head = { client: limitKey(client), headers: {}, deadline }
    const answer = await callHandler(endpoint, { ...input, ...head }).finally(() => limit.release())
    const value = readAnswer(answer)
    const network = networkIn(endpoint, input as Sent)
    const slotMs = network && parts.slotMsOf?.(network)
    const presented = presentAnswer(success.schema, value, tool.withoutFields)
    const answered = {
      ...(tool.effect && {
        effect: tool.effect({ ...request.params, ...request.body }, value),
        next: explainSigning(slotMs),
      }),
      ...presented,
      ...(tool.page && { nextCursor: tool.page.next(value) }),
    }
    return fitAnswer(answered, tool)
  }

  /** The HTTP request itself has already counted as a read. */
  function findRefusal({ client }: Caller): number | undefined {
    const budget = budgetOf(endpoint.method, pathFor(endpoint, {}))
    if (budget === 'reads') return undefined
    const allowance = parts.limiter.take(budget, limitKey(client), performance.now())
    return allowance && !allowance.allowed ? allowance.resetSeconds : undefined
  }

  async function callAndExplain(sent: Arguments, caller: Caller): Promise<ToolResult & { code?: ErrorCode }> {
    const unfit = isPageTooLarge(endpoint, sent) ? 'limit must be at most 20.' : findUnfit(inputSchema, sent)
    if (unfit !== undefined) return refuse('INVALID_INPUT', unfit)
    const waitSeconds = findRefusal(caller)
    if (waitSeconds !== undefined) return refuse('TOO_MANY_REQUESTS', `Try again in ${waitSeconds} seconds.`)
    try {
      const answer = await run(sent, caller)
      return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
    } catch (thrown) {
      const error = thrown as Error
      const code = errorCodeOf(error)
      if (ERRORS[code].status >= 500) parts.onFailure(error, code, caller.id)
      const known = error instanceof ServiceError ? error : new ServiceError(code)
      const { text, error: described } = describeError(parts.explain, known, known.details?.map(toArgument))
      return { ...failure(text, { error: described }), code }
    }
  }

  /** A model doesn't know the endpoint's own parameters for pages. */
  function toArgument(detail: ErrorDetail): ErrorDetail {
    if (detail.path === tool.page?.from) return { ...detail, path: 'cursor' }
    return detail.path === tool.page?.size ? { ...detail, path: 'limit' } : detail
  }

  function refuse(code: ErrorCode, reason: string): ToolResult & { code: ErrorCode } {
    const error = { code, message: ERRORS[code].text, help: reason }
    return { ...failure(`${error.message} (${code}). ${reason}`, { error }), code }
  }

  return {
    endpoint,
    inputSchema,
    async call(sent, caller) {
      const startMs = performance.now()
      const { code, ...result } = await callAndExplain(sent, caller)
      parts.recorder.add({
        id: caller.id,
        client: caller.client,
        method: endpoint.method,
        url: pathFor(endpoint, sent),
        route: routeOf(endpoint.path),
        status: code === undefined ? 200 : ERRORS[code].status,
        ms: performance.now() - startMs,
        isAborted: false,
      })
      return result
    },
  }
}

const explainSigning = (slotMs: number | undefined) =>
  `Nothing has happened yet. Show the user what the transaction does, let the user's own wallet sign it, submit it within ${describeBlocks(BLOCKS_TO_EXPIRY, slotMs)}, and confirm it against \`blockhash\`.`

const failure = (text: string, structuredContent: Record<string, unknown>): ToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent,
  isError: true,
})

/** The path of a request, for the log. */
const pathFor = ({ path }: Endpoint, sent: Arguments): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(Buffer.from(toText(sent[name] ?? name)).toString()),
  )

function readAnswer(answer: Answer): Record<string, unknown> {
  if (answer.kind === 'json') return answer.value as Record<string, unknown>
  if (answer.kind === 'stream') throw new Error('a stream can be no tool')
  return JSON.parse(Buffer.concat([...answer.snapshot.identity.parts]).toString()) as Record<string, unknown>
}
