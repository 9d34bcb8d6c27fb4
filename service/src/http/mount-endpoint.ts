import { describeIssue } from '@slipway/schema/describe-issue'
import { ServiceError } from '@slipway/schema/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Answer, Endpoint, RequestHead } from '../endpoint/endpoint.ts'
import { createSnapshot } from '../endpoint/endpoint.ts'
import { findNetworkField, moveNetwork, type Sent } from '../endpoint/network-input.ts'
import { parseQuery, queryNames, routeOf } from '../endpoint/parse-url.ts'
import { createDeadline, REQUEST_MS_MAX, withinDeadline } from '../lib/deadline.ts'
import type { ConcurrencyLimit } from './ingress/load-shedder.ts'
import { limitKey } from './ingress/read-request.ts'
import { toInputError } from './input-error.ts'
import { contextOf } from './request-context.ts'
import { sendError } from './response/send-error.ts'
import { sendBody, writeSnapshotHead } from './response/send-snapshot.ts'
import { startStream } from './response/start-stream.ts'

/** Routes an endpoint's requests to its handler, as many at a time as the limit allows. */
export function mountEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  {
    limit,
    requestMs = REQUEST_MS_MAX,
    onShed,
  }: { limit: ConcurrencyLimit; requestMs?: number | undefined; onShed(): void },
): void {
  const parse = createInputParser(endpoint)
  app.route({
    method: endpoint.method,
    url: routeOf(endpoint.path),
    config: { endpoint },
    // The answer to a write, errors included, is valid only for this request and must not be cached.
    ...(endpoint.method !== 'GET' && {
      onRequest: async (_request, reply) => void reply.header('Cache-Control', 'no-store'),
    }),
    async handler(request, reply) {
      const input = parse({
        url: request.url,
        params: request.params as Record<string, string>,
        body: request.body ?? {},
      })
      if (!limit.admit()) {
        onShed()
        return sendError(request, reply, 'SERVICE_UNAVAILABLE')
      }
      const deadline = createDeadline(endpoint.limitMs ?? requestMs)
      const client = limitKey(contextOf(request.raw).client)
      const { headers } = request
      const answer = await callHandler(endpoint, { ...input, client, headers, deadline }).finally(() =>
        limit.release(),
      )
      return send(request, reply, answer)
    },
  })
}

/** An unexpected exception or an outage becomes the endpoint's own error; the log has the cause. */
export async function callHandler(endpoint: Endpoint, input: RequestHead): Promise<Answer> {
  try {
    const answer = endpoint.answer(input as never)
    return answer instanceof Promise ? await withinDeadline(input.deadline, answer) : answer
  } catch (error) {
    const isExpected = error instanceof ServiceError && error.code !== 'SERVICE_UNAVAILABLE'
    if (isExpected || !endpoint.unexpected) throw error
    throw new ServiceError(endpoint.unexpected, { cause: error })
  }
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer) {
  if (answer.kind === 'stream') {
    reply.hijack()
    return startStream(request.raw, reply.raw, contextOf(request.raw), answer)
  }
  const { cacheControl } = answer
  if (answer.kind === 'json' && cacheControl === undefined)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer.value))
  reply.hijack()
  const prepared =
    answer.kind === 'prepared'
      ? answer
      : {
          snapshot: createSnapshot(Buffer.from(JSON.stringify(answer.value))),
          cacheControl: cacheControl as string,
        }
  const body = writeSnapshotHead(request.raw, reply.raw, contextOf(request.raw), prepared)
  sendBody(reply.raw, body)
}

interface RawInput {
  url: string
  params: Record<string, string>
  body: unknown
}

/** Parses a request once, at the border. Throws the error of the first invalid field. */
export function createInputParser(endpoint: Endpoint) {
  const { params, query, body } = endpoint
  const networkField = findNetworkField(endpoint)
  const known = new Set([...queryNames(query), ...(networkField ? ['network'] : [])])

  function parse(schema: z.ZodObject | undefined, value: unknown): unknown {
    if (!schema) return {}
    const parsed = schema.safeParse(value, { error: describeIssue })
    if (parsed.success) return parsed.data
    throw toInputError(endpoint, parsed.error)
  }

  function parseFields({ query: sentQuery, body: sentBody }: Sent, sentParams: unknown) {
    return {
      body: parse(body, sentBody),
      query: parse(query, sentQuery),
      params: parse(params, sentParams),
    }
  }

  return (raw: RawInput) => {
    const sent = { query: parseQuery(raw.url, known), body: raw.body }
    if (!networkField) return parseFields(sent, raw.params)
    const moved = moveNetwork(sent, networkField)
    const input = parseFields(moved.sent, raw.params)
    if (moved.isAmbiguous) throw toInputError(endpoint, ambiguousNetwork(networkField.slice(1)))
    return input
  }
}

const ambiguousNetwork = (path: string[]) =>
  new z.ZodError([
    { code: 'custom', path, message: 'must be the same in the query and the body', input: undefined },
  ])
