import type { OpenApi, Operation, Parameter, ResponseObject } from './openapi-document.ts'

/** The paths for operators, as OpenAPI describes them. */
export const OPERATOR_PATHS: OpenApi['paths'] = {
  '/healthz': operation('getHealth', 'Liveness', 'Answers while the process is running.', {
    200: plainText('The process is running.', 'ok\n'),
    400: badRequest(),
  }),
  '/readyz': operation(
    'getReadiness',
    'Readiness',
    'One line for each part that the service depends on, or only whether it is ready if the operator has moved the details to another port.',
    {
      200: plainText(
        'All parts work.',
        'store: ok, answered in 0.6 ms\nlistings: ok, 24 launches on chain-mainnet\n',
      ),
      400: plainText('`for` has another value.', 'for must be "reads" or absent\n'),
      503: plainText(
        'A part fails, or the service is starting or stopping.',
        'store: failing, unreachable\n',
      ),
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
    400: badRequest(),
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

function badRequest(): ResponseObject {
  return {
    description: 'The request is not valid HTTP.',
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/LaunchesError' },
        examples: { BAD_REQUEST: { summary: 'BAD_REQUEST', value: { error: { message: 'Bad request' } } } },
      },
    },
  }
}
