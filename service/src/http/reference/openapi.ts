import { describeIssue } from '@slipway/schema/describe-issue'
import { ERRORS, ErrorBody, type ErrorCode, errorBody, errorFamilyOf } from '@slipway/schema/errors'
import { z } from 'zod'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import { toInputError } from '../input-error.ts'

type Json = Record<string, unknown>

export interface OpenApi {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters: Parameter[]
  requestBody?: Json
  responses: Record<string, ResponseObject>
  /** Named example requests. */
  'x-uses'?: NonNullable<Endpoint['uses']>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Json
}

interface ResponseObject {
  description: string
  headers?: Json
  content?: Record<string, { schema: Json; examples: Record<string, { summary?: string; value: unknown }> }>
}

const COMMON_ERRORS: ErrorCode[] = ['TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE']
const BODY_ERRORS: ErrorCode[] = ['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** Builds the OpenAPI document from the endpoints themselves. */
export function createOpenApi(endpoints: readonly Endpoint[], publicUrl: string): OpenApi {
  const schemas: Record<string, Json> = {}
  const toSchema = (schema: z.ZodType, io: 'input' | 'output' = 'output') => toJsonSchema(schema, io, schemas)
  const paths: OpenApi['paths'] = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: describe(endpoint, toSchema),
    }
  }
  Object.assign(paths, OPERATIONS)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Slipway',
      version: '1.0.0',
      description:
        'On-chain agents, token launches and creator rewards. The service builds transactions; callers sign and submit them. No endpoint needs a credential. Every response carries `X-Request-Id`; include it when you report a problem.',
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set([...endpoints.map(({ tag }) => tag), 'Operations'])].map(name => ({ name })),
    paths,
    components: { schemas },
  }
}

type ToSchema = (schema: z.ZodType, io?: 'input' | 'output') => Json

function describe(endpoint: Endpoint, toSchema: ToSchema): Operation {
  const { success } = endpoint
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    ...(endpoint.uses && { 'x-uses': endpoint.uses }),
    parameters: [
      ...parametersOf(endpoint.params, 'path', toSchema),
      ...parametersOf(endpoint.query, 'query', toSchema),
      ...(success.conditional ? [IF_NONE_MATCH] : []),
      ...Object.entries(endpoint.headers ?? {}).map(([name, description]) => ({
        name,
        in: 'header' as const,
        required: false,
        description,
        schema: { type: 'string' },
      })),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: toSchema(endpoint.body, 'input'), ...requestExample(endpoint.body) },
        },
      },
    }),
    responses: {
      200: {
        description: success.description,
        ...(success.conditional && { headers: CONDITIONAL_HEADERS }),
        content: {
          [success.contentType ?? 'application/json']: {
            schema: toSchema(success.schema),
            examples: { success: { value: success.example } },
          },
        },
      },
      ...(success.conditional && {
        304: {
          description: 'Not modified: the ETag in the request is current.',
          headers: CONDITIONAL_HEADERS,
        },
      }),
      ...errorResponses(endpoint, toSchema),
    },
  }
}

/** The schema of a body has its own example. */
function requestExample(body: z.ZodObject) {
  const [value] = (body.meta()?.examples ?? []) as unknown[]
  return value !== undefined && { examples: { request: { value } } }
}

function parametersOf(
  fields: z.ZodObject | undefined,
  place: 'path' | 'query',
  toSchema: ToSchema,
): Parameter[] {
  return Object.entries(fields?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = toSchema(field as z.ZodType, 'input')
    return {
      name,
      in: place,
      required: place === 'path',
      ...(typeof description === 'string' && { description }),
      schema,
    }
  })
}

function errorResponses(endpoint: Endpoint, toSchema: ToSchema): Record<string, ResponseObject> {
  const family = errorFamilyOf(endpoint.method, endpoint.path)
  const codes = [
    ...Object.values(endpoint.faults),
    ...endpoint.errors,
    ...(endpoint.body ? BODY_ERRORS : []),
    ...COMMON_ERRORS,
    endpoint.unexpected ?? 'INTERNAL',
  ]
  // The details of an empty body are an example that is always true.
  const { error } = endpoint.body?.safeParse({}, { error: describeIssue }) ?? {}
  const empty = error && toInputError(endpoint, error)
  const detailsOf = (code: ErrorCode) => (code === empty?.code ? empty.details : undefined)
  const byStatus = groupByStatus(new Set(codes))
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: [...new Set(group.map(code => ERRORS[code].text))].join(', or '),
        ...((status === 429 || status === 503) && {
          headers: { 'Retry-After': { schema: { type: 'integer' } } },
        }),
        content: {
          'application/json': {
            schema: toSchema(ErrorBody[family]),
            examples: Object.fromEntries(
              group.map(code => [code, { value: errorBody(family, ERRORS[code].text, detailsOf(code)) }]),
            ),
          },
        },
      },
    ]),
  )
}

function groupByStatus(codes: Set<ErrorCode>): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = ERRORS[code]
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return groups
}

/** Named schemas become components, and references to them are rewritten. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, Json>): Json {
  const generated = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // Answers may gain fields; clients must ignore those they do not know.
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties
    },
  }) as Json
  const text = JSON.stringify(generated).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $schema: _, $defs, id, ...rest } = JSON.parse(text) as Json & { $defs?: Record<string, Json> }
  for (const [name, { id: _id, ...definition }] of Object.entries($defs ?? {})) schemas[name] = definition
  if (typeof id !== 'string') return rest
  schemas[id] = rest
  return { $ref: `#/components/schemas/${id}` }
}

function operation(
  id: string,
  summary: string,
  description: string,
  responses: Operation['responses'],
  parameters: Parameter[] = [],
) {
  return { get: { operationId: id, tags: ['Operations'], summary, description, parameters, responses } }
}

function plainText(description: string, example: string): ResponseObject {
  return {
    description,
    content: { 'text/plain': { schema: { type: 'string' }, examples: { text: { value: example } } } },
  }
}

/** The paths for operators. */
const OPERATIONS: OpenApi['paths'] = {
  '/healthz': operation('getHealth', 'Liveness', 'Answers while the process is running.', {
    200: plainText('The process is running.', 'ok\n'),
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
  }),
}

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags that the client has; the response is a 304 if one of them is current.',
  schema: { type: 'string' },
}

const CONDITIONAL_HEADERS = {
  ETag: { description: 'Strong. Each content encoding has its own.', schema: { type: 'string' } },
  'Cache-Control': { schema: { type: 'string' } },
}
