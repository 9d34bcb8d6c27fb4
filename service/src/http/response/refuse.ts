import type { ServerResponse } from 'node:http'
import { errorBody, errorFamilyOf } from '@slipway/schema/error-family'
import { ERRORS, type ErrorCode } from '@slipway/schema/errors'
import type { RequestContext } from '../request-context.ts'
import { addCommonHeaders, addRateLimitHeaders, SECURITY_HEADERS } from './common-headers.ts'

/** Refuses a request before it is routed, in the error format of its path. It costs much less than an answer. */
export function refuse(
  response: ServerResponse,
  context: RequestContext,
  code: ErrorCode,
  retryAfterSeconds?: number,
): void {
  const body = bodyOf(code, errorFamilyOf(context.method, context.url))
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', `${body.length}`]
  if (retryAfterSeconds !== undefined) headers.push('Retry-After', `${retryAfterSeconds}`)
  headers.push(...SECURITY_HEADERS)
  addRateLimitHeaders(headers, context)
  response.writeHead(ERRORS[code].status, addCommonHeaders(headers, context))
  response.end(context.method === 'HEAD' ? undefined : body)
}

const bodies = new Map<string, Buffer>()

function bodyOf(code: ErrorCode, family: ReturnType<typeof errorFamilyOf>): Buffer {
  const key = `${family} ${code}`
  const known = bodies.get(key)
  if (known) return known
  const body = Buffer.from(JSON.stringify(errorBody(family, ERRORS[code].text)))
  bodies.set(key, body)
  return body
}
