import { ERRORS, type ErrorCode, type ErrorDetail, ServiceError } from '@slipway/schema/errors'
import type { z } from 'zod'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import { parseQuery, queryNames } from '../../endpoint/parse-url.ts'

interface RawInput {
  url: string
  params: Record<string, string>
  body: unknown
}

/** Parses a request once, at the border. Throws the error of the first invalid field. */
export function createInputParser({ params, query, body, faults, reportsDetails }: Endpoint) {
  const known = queryNames(query)

  function parse(schema: z.ZodObject | undefined, value: unknown): unknown {
    if (!schema) return {}
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    const code = errorCodeOf(parsed.error, faults)
    const isReported = reportsDetails && ERRORS[code].status === 400
    throw new ServiceError(code, isReported ? { details: toDetails(parsed.error) } : {})
  }

  return (raw: RawInput) => ({
    body: parse(body, raw.body),
    query: parse(query, parseQuery(raw.url, known)),
    params: parse(params, raw.params),
  })
}

function errorCodeOf({ issues }: z.ZodError, faults: Record<string, ErrorCode>): ErrorCode {
  const path = issues[0]?.path ?? []
  const pattern = path.map(part => (typeof part === 'number' ? '*' : part)).join('.')
  return faults[pattern] ?? faults[String(path[0] ?? 'body')] ?? 'INVALID_INPUT'
}

/** A body can have as many faults as it has fields. */
const DETAILS_MAX = 20

const toDetails = ({ issues }: z.ZodError): ErrorDetail[] =>
  issues.slice(0, DETAILS_MAX).map(({ path, message }) => ({ path: path.join('.'), message }))
