import { ERRORS, type ErrorCode, errorBody } from '@slipway/schema/errors'
import { errorHeaders } from './describe-endpoint.ts'
import type { OpenApi, Operation, Parameter, ResponseObject } from './openapi-types.ts'

/** The paths for operators, as OpenAPI describes them. */
export const OPERATOR_PATHS: OpenApi['paths'] = {
  '/healthz': operation('getHealth', 'Liveness', 'Answers while the process is running.', {
    200: plainText('The process is running.', 'ok\n'),
    400: jsonError('BAD_REQUEST'),
    429: jsonError('TOO_MANY_REQUESTS'),
  }),
  '/readyz': operation(
    'getReadiness',
    'Readiness',
    'One line for each part that the service depends on, or only whether it is ready if the operator has moved the details to another port.',
    {
      200: plainText(
        'Every part that the service needs works.',
        'store: ok, answered in 0.6 ms\nlistings: ok, 24 launches on chain-mainnet\n',
      ),
      400: {
        ...plainText('`for` has a value other than `reads`.', 'for must be "reads" or absent\n'),
        headers: errorHeaders(400),
      },
      429: jsonError('TOO_MANY_REQUESTS'),
      503: {
        ...plainText(
          'A part that the service needs fails, or the service is starting or stopping.',
          'store: failing, unreachable\n',
        ),
        headers: errorHeaders(400),
      },
    },
    [
      {
        name: 'for',
        in: 'query',
        required: false,
        description: 'With `reads`, the service is ready as long as it can answer from memory.',
        schema: { type: 'string', enum: ['reads'] },
      },
    ],
  ),
  '/metrics': operation('getMetrics', 'Metrics', 'Metrics in the Prometheus text format.', {
    200: plainText('All metrics.', 'slipway_launches{network="chain-mainnet"} 24\n'),
    400: jsonError('BAD_REQUEST'),
    429: jsonError('TOO_MANY_REQUESTS'),
  }),
}

function operation(
  id: string,
  summary: string,
  description: string,
  responses: Operation['responses'],
  parameters: Parameter[] = [],
): { get: Operation } {
  return {
    get: {
      operationId: id,
      tags: ['Operations'],
      summary,
      description,
      ...(parameters.length > 0 && { parameters }),
      responses,
    },
  }
}

function plainText(description: string, example: string): ResponseObject {
  return {
    description,
    content: {
      'text/plain': {
        schema: { type: 'string' },
        examples: { text: { summary: 'Text', value: example } },
      },
    },
  }
}

function jsonError(code: ErrorCode): ResponseObject {
  const { status, text } = ERRORS[code]
  return {
    description: text,
    headers: errorHeaders(status),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/LaunchesError' },
        examples: { [code]: { summary: code, value: errorBody('launches', code) } },
      },
    },
  }
}
