import { describeIssue } from '@slipway/schema/describe-issue'
import {
  ERROR_HEADER,
  ERRORS,
  ErrorBody,
  type ErrorCode,
  errorBody,
  errorFamilyOf,
} from '@slipway/schema/errors'
import type { z } from 'zod'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import { describedInput } from '../../endpoint/network-input.ts'
import { toInputError } from '../input-error.ts'
import { buildClientSample } from './client-sample.ts'
import type { Json, ToSchema } from './json-schemas.ts'
import type { Operation, Parameter, ResponseObject } from './openapi-types.ts'

const COMMON_ERRORS: ErrorCode[] = ['TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE']
const BODY_ERRORS: ErrorCode[] = ['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** The operation of an endpoint, as OpenAPI describes it. */
export function describeEndpoint(
  endpoint: Endpoint,
  { toSchema, publicUrl }: { toSchema: ToSchema; publicUrl: string },
): Operation {
  const { success } = endpoint
  const { query, body } = describedInput(endpoint)
  const parameters = [
    ...parametersOf(endpoint.params, 'path', toSchema),
    ...parametersOf(query, 'query', toSchema),
    ...(success.conditional ? [IF_NONE_MATCH] : []),
    ...Object.entries(endpoint.headers ?? {}).map(
      ([name, description]): Parameter => ({
        name,
        in: 'header',
        required: false,
        description,
        schema: { type: 'string' },
      }),
    ),
  ]
  const example = findExample(body)
  const sample = buildClientSample(endpoint, { publicUrl, parameters, body: example })
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description + listUses(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: withoutExamples(toSchema(body, 'input')),
            ...(example !== undefined && { examples: { request: { summary: 'Request', value: example } } }),
          },
        },
      },
    }),
    responses: {
      200: {
        description: success.description,
        ...(success.conditional && { headers: refer('ETag', 'Cache-Control') }),
        content: {
          [success.contentType ?? 'application/json']: {
            schema: toSchema(success.schema),
            examples: { success: { summary: 'Success', value: success.example } },
          },
        },
      },
      ...(success.conditional && {
        304: {
          description: 'Not modified: the ETag in the request is current.',
          headers: refer('ETag', 'Cache-Control'),
        },
      }),
      ...errorResponses(endpoint, toSchema),
    },
    ...(sample && { 'x-codeSamples': [sample] }),
  }
}

/** The schema of a body has its own example. */
function findExample(body: z.ZodObject | undefined): unknown {
  const [example] = (body?.meta()?.examples ?? []) as unknown[]
  return example
}

function withoutExamples({ examples: _, ...schema }: Json): Json {
  return schema
}

/** Example requests, as links that a browser can open. */
function listUses({ path, uses = [] }: Endpoint): string {
  if (uses.length === 0) return ''
  const lines = uses.map(
    ({ title, query, description }) => `- [${title}](${path}${query}): \`${path}${query}\`. ${description}`,
  )
  return `\n\n${lines.join('\n')}`
}

function parametersOf(
  fields: z.ZodObject | undefined,
  place: 'path' | 'query',
  toSchema: ToSchema,
): Parameter[] {
  return Object.entries(fields?.shape ?? {}).map(([name, field]) => {
    const { description, examples: _, ...schema } = toSchema(field as z.ZodType, 'input')
    // Zod leaves out the examples of a field that is transformed.
    const [example] = ((field as z.ZodType).meta()?.examples ?? []) as unknown[]
    return {
      name,
      in: place,
      required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
      description: String(description ?? ''),
      ...(example !== undefined && { example }),
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
  return Object.fromEntries(
    [...groupByStatus(new Set(codes))].map(([status, group]) => [
      status,
      {
        description: [...new Set(group.map(code => ERRORS[code].text))].join(', or '),
        headers: errorHeaders(status),
        content: {
          'application/json': {
            schema: toSchema(ErrorBody[family]),
            examples: Object.fromEntries(
              group.map(code => [code, { summary: code, value: errorBody(family, code, detailsOf(code)) }]),
            ),
          },
        },
      },
    ]),
  )
}

/** The headers of an error with this status. */
export function errorHeaders(status: number): Record<string, Json> {
  if (status === 429)
    return refer(ERROR_HEADER, 'Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')
  // A 500 has it if the cause is an outage or too much load.
  return status === 500 || status === 503 ? refer(ERROR_HEADER, 'Retry-After') : refer(ERROR_HEADER)
}

function groupByStatus(codes: Set<ErrorCode>): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = ERRORS[code]
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return groups
}

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags that the client has; the response is a 304 if one of them is current.',
  schema: { type: 'string' },
}

const header = (type: 'string' | 'integer', description: string): Json => ({ description, schema: { type } })

/** The headers that responses refer to. */
export const HEADERS = {
  ETag: header('string', 'Strong. Each content encoding has its own.'),
  'Cache-Control': header('string', 'How long caches may keep the response.'),
  [ERROR_HEADER]: header('string', "The error's code, as in the list of errors. It never changes."),
  'Retry-After': header('integer', 'Seconds to wait before the next attempt.'),
  'RateLimit-Limit': header('integer', 'Requests per minute that this client may send.'),
  'RateLimit-Remaining': header('integer', 'How many of them are left.'),
  'RateLimit-Reset': header('integer', 'Seconds until all of them are available again.'),
}

function refer(...names: (keyof typeof HEADERS)[]): Record<string, Json> {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
