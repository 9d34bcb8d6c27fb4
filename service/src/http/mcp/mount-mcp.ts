import { ERROR_HEADER, type ErrorCode } from '@slipway/schema/errors'
import type { FastifyInstance } from 'fastify'
import { createCachedCall } from '../../lib/kept-reads.ts'
import { contextOf } from '../request-context.ts'
import { sendError } from '../response/send-error.ts'
import type { AnswerMessage } from './create-mcp.ts'

export const MCP_PATH = '/mcp'

/** The headers that the protocol reads. */
const READ_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

const INVALID_REQUEST = -32_600
const PARSE_ERROR = -32_700

/**
 * Serves the protocol at one path. A page of another origin is refused; otherwise, any page that a person opens could
 * use a server on the same machine.
 */
export function mountMcp(
  app: FastifyInstance,
  {
    load,
    origins,
  }: {
    /** Called with the first message, and again if it fails: the protocol's library takes a moment to load. */
    load(): Promise<AnswerMessage>
    /** The deployment's own origins. */
    origins: ReadonlySet<string>
  },
): void {
  const findAnswer = createCachedCall(load, Number.POSITIVE_INFINITY)
  app.post(
    MCP_PATH,
    {
      // Before the body is read.
      onRequest: async (request, reply) => {
        const { origin } = request.headers
        reply.header('Cache-Control', 'no-store')
        if (origin !== undefined && !origins.has(origin)) return sendError(request, reply, 'FOREIGN_ORIGIN')
      },
    },
    async (request, reply) => {
      const { body } = request
      reply.type('application/json; charset=utf-8')
      // One request is one call, so that the limits hold.
      const isBatch = Array.isArray(body)
      if (isBatch || typeof body !== 'object' || body === null)
        return reply
          .code(400)
          .header(ERROR_HEADER, 'BAD_REQUEST' satisfies ErrorCode)
          .send(
            isBatch
              ? protocolError(INVALID_REQUEST, 'Batches are not supported')
              : protocolError(PARSE_ERROR, 'The body is not a JSON object'),
          )
      if (isDeeper(body, LEVELS_MAX))
        return reply
          .code(400)
          .header(ERROR_HEADER, 'BAD_REQUEST' satisfies ErrorCode)
          .send(protocolError(INVALID_REQUEST, `The message has more than ${LEVELS_MAX} levels`))
      const headers = new Headers()
      for (const name of READ_HEADERS) {
        const value = request.headers[name]
        if (typeof value === 'string') headers.set(name, value)
      }
      const answer = await findAnswer()
      const response = await answer(
        new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers }),
        body,
        contextOf(request.raw),
      )
      const type = response.headers.get('content-type')
      if (type !== null) reply.type(type)
      else reply.removeHeader('content-type')
      if (response.status >= 400) reply.header(ERROR_HEADER, 'BAD_REQUEST' satisfies ErrorCode)
      return reply.code(response.status).send(await response.text())
    },
  )
}

/** A card may have 64 levels. The protocol's library is recursive, and would say so. */
const LEVELS_MAX = 100

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(part => isDeeper(part, levels - 1)))

const protocolError = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })
