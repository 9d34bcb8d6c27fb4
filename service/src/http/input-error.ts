import { ERRORS, type ErrorCode, type ErrorDetail, ServiceError } from '@slipway/schema/errors'
import type { z } from 'zod'
import type { Endpoint } from '../endpoint/endpoint.ts'

/** The endpoint's error for input that its schema refuses. The first invalid field decides which. */
export function toInputError(
  { faults, reportsDetails }: Pick<Endpoint, 'faults' | 'reportsDetails'>,
  error: z.ZodError,
): ServiceError {
  const code = errorCodeOf(error, faults)
  const isReported = reportsDetails && ERRORS[code].status === 400
  return new ServiceError(code, isReported ? { details: toDetails(error) } : {})
}

function errorCodeOf({ issues }: z.ZodError, faults: Record<string, ErrorCode>): ErrorCode {
  const path = issues[0]?.path ?? []
  const pattern = path.map(part => (typeof part === 'number' ? '*' : part)).join('.')
  return faults[pattern] ?? faults[String(path[0] ?? 'body')] ?? 'INVALID_INPUT'
}

/** A body can have as many errors as fields, so the list is limited. */
const DETAILS_MAX = 20

const toDetails = ({ issues }: z.ZodError): ErrorDetail[] =>
  issues.slice(0, DETAILS_MAX).map(({ path, code, message }) => ({
    path: path.join('.'),
    message: path.length === 0 && code === 'invalid_type' ? 'must be a JSON object' : message,
  }))
