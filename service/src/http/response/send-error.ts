import type { ServerResponse } from 'node:http'
import {
  ERROR_HEADER,
  ERRORS,
  type ErrorCode,
  errorBody,
  errorFamilyOf,
  ServiceError,
} from '@slipway/schema/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { RpcError } from '../../chain/rpc/fault.ts'
import { DeadlineExceeded } from '../../lib/deadline.ts'
import { isStoreOutage } from '../../store/errors.ts'
import type { RequestContext } from '../request-context.ts'
import { addCommonHeaders, addRateLimitHeaders, SECURITY_HEADERS } from './common-headers.ts'

/** Sends an error from the table, in the format of the path's family. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
  error?: Error,
): FastifyReply {
  const { status } = ERRORS[code]
  const family = errorFamilyOf(request.method, request.url)
  const { message: text, details, retryAfterSeconds } = error instanceof ServiceError ? error : {}
  const retryAfter = retryAfterSeconds ?? RETRY_AFTER_SECONDS[code] ?? RETRY_AFTER_SECONDS[causeOf(error)]
  if (retryAfter) reply.header('Retry-After', `${retryAfter}`)
  return reply
    .code(status)
    .header(ERROR_HEADER, code)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(family, code, details, text)))
}

const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  // All callers share this budget; it refills every second.
  TOO_MANY_REQUESTS: 1,
  SERVICE_UNAVAILABLE: 5,
  // A pending document makes room when the chain names it, or ten minutes later.
  TOO_MANY_PENDING: 60,
  DOCUMENTS_FULL: 60,
  // A client's named documents count for a day. An owner's count until they are deleted, a week after the agent is
  // burnt.
  TOO_MANY_DOCUMENTS: 3_600,
  HOLDERS_UNAVAILABLE: 60,
  TOO_MANY_STREAMS: 30,
  STREAMS_FULL: 30,
}

/** Fastify's own error codes. */
const FRAMEWORK_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
}

export function errorCodeOf(error: FastifyError | Error): ErrorCode {
  if (error instanceof ServiceError) return error.code
  const isRpcOutage = error instanceof RpcError && error.kind !== 'invalid'
  if (isRpcOutage || isStoreOutage(error) || error instanceof DeadlineExceeded) return 'SERVICE_UNAVAILABLE'
  const code = 'code' in error ? FRAMEWORK_ERRORS[error.code] : undefined
  if (code) return code
  // The request was interrupted while its body was read.
  if ('statusCode' in error && error.statusCode === 400) return 'BAD_REQUEST'
  return 'INTERNAL'
}

/** An endpoint's own error, such as `PREPARE_FAILED`, hides what happened. An outage or too much load will pass. */
const causeOf = (error: Error | undefined): ErrorCode =>
  error instanceof ServiceError && error.cause instanceof Error ? errorCodeOf(error.cause) : 'INTERNAL'

/** The page that a person sees instead of JSON, with all headers that describe it. */
export interface RefusalPage {
  headers: readonly string[]
  body: Buffer
}

const JSON_HEADERS = ['Content-Type', 'application/json; charset=utf-8', ...SECURITY_HEADERS]

/** Refuses a request before it is routed, in the error format of its path. It costs much less than an answer. */
export function refuse(
  response: ServerResponse,
  context: RequestContext,
  code: ErrorCode,
  {
    retryAfterSeconds = RETRY_AFTER_SECONDS[code],
    page,
  }: { retryAfterSeconds?: number; page?: RefusalPage | undefined } = {},
): void {
  const body = page?.body ?? bodyOf(code, errorFamilyOf(context.method, context.url))
  const headers = [...(page?.headers ?? JSON_HEADERS), 'Content-Length', `${body.length}`, ERROR_HEADER, code]
  if (retryAfterSeconds !== undefined) headers.push('Retry-After', `${retryAfterSeconds}`)
  addRateLimitHeaders(headers, context)
  response.writeHead(ERRORS[code].status, addCommonHeaders(headers, context))
  response.end(context.method === 'HEAD' ? undefined : body)
}

const bodies = new Map<string, Buffer>()

function bodyOf(code: ErrorCode, family: ReturnType<typeof errorFamilyOf>): Buffer {
  const key = `${family} ${code}`
  const known = bodies.get(key)
  if (known) return known
  const body = Buffer.from(JSON.stringify(errorBody(family, code)))
  bodies.set(key, body)
  return body
}
