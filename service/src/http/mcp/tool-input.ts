import { DEFAULT_NETWORK, NETWORKS } from '@slipway/schema/network'
import { z } from 'zod'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import { describedInput } from '../../endpoint/network-input.ts'
import type { Tool } from '../../endpoint/tool.ts'
import type { Json } from '../reference/json-schemas.ts'
import { shareParts } from './share-parts.ts'

export type Arguments = Record<string, unknown>
type ToolEndpoint = Endpoint & { tool: Tool }

/** The parts of a request to the endpoint, made from a tool's arguments. */
export interface ToolRequest {
  params: Record<string, string>
  /** With the query. Only the parameters of the path matter. */
  url: string
  body: Arguments
}

/** Answers must stay small, whatever a page may have in the API. */
const PAGE_SIZE_MAX = 20
const PAGE_SIZE_DEFAULT = 10
const CURSOR = {
  type: 'string',
  description: 'Continues after the page whose `nextCursor` this is. Everything else must be the same.',
}
const LIMIT = {
  type: 'integer',
  minimum: 1,
  maximum: PAGE_SIZE_MAX,
  default: PAGE_SIZE_DEFAULT,
  description: 'Results per page.',
}

/** The input schema of a tool: all parameters and the fields of the body in one object. */
export function buildInputSchema(endpoint: ToolEndpoint): Json {
  const { params, tool } = endpoint
  const { query, body } = describedInput(endpoint)
  const fields = z.object({ ...params?.shape, ...query?.shape, ...body?.shape })
  const schema = simplify(
    z.toJSONSchema(fields, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
  ) as Json & { properties: Json; required?: string[] }
  for (const name of [...(tool.withoutInput ?? []), ...pageParameters(tool)]) delete schema.properties[name]
  if (tool.page) Object.assign(schema.properties, { limit: LIMIT, cursor: CURSOR })
  // Every path parameter is required, unless `withoutInput` removes it.
  const required = new Set([...(schema.required ?? []), ...Object.keys(params?.shape ?? {})])
  return shareParts({
    type: 'object',
    properties: schema.properties,
    ...(required.size > 0 && { required: [...required].filter(name => name in schema.properties) }),
    ...(schema.$defs !== undefined && { $defs: schema.$defs }),
    additionalProperties: false,
  })
}

const pageParameters = ({ page }: Tool) => (page ? [page.size, page.from] : [])

/** Leaves out what a model doesn't need, because every byte of a tool list is paid for in each conversation. */
function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify)
  if (typeof value !== 'object' || value === null) return value
  const { $schema: _, id: _id, examples: _examples, ...rest } = value as Json
  const schema = withoutAbsent(rest)
  if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#/components/')) return { type: 'object' }
  if (isFlag(schema)) return { type: 'boolean', description: schema.description }
  if (schema.additionalProperties === false) delete schema.additionalProperties
  // The error for an invalid value says which values are valid.
  for (const name of LIMITS) delete schema[name]
  if (schema.type !== undefined) delete schema.anyOf
  if ('const' in schema) delete schema.description
  if (typeof schema.description === 'string') schema.description = toPlainText(schema.description)
  return Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, name === 'network' ? NETWORK : simplify(part)]),
  )
}

const LIMITS = [
  ...['pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
]
const NETWORK = { type: 'string', enum: NETWORKS, default: DEFAULT_NETWORK }

/** A field that may be null or switched off may also be left out. */
function withoutAbsent(schema: Json): Json {
  for (const name of ['anyOf', 'oneOf']) {
    const { [name]: choices, ...rest } = schema
    const [only, ...others] = Array.isArray(choices) ? choices.filter(choice => !isAbsent(choice)) : []
    if (only && others.length === 0) return withoutAbsent({ ...only, ...rest })
  }
  if (!Array.isArray(schema.type)) return schema
  // A number can be sent as text, and some values only as text.
  const type = schema.type.includes('string') ? 'string' : schema.type.find(type => type !== 'null')
  return { ...schema, type }
}

const isAbsent = ({ type, properties }: { type?: string; properties?: Record<string, Json> }) =>
  type === 'null' || properties?.enabled?.const === false

/** A query has only text, so flags are written as words. */
const isFlag = ({ enum: values }: Json) => Array.isArray(values) && values.join() === 'true,false'

/** Without the links, which lead to parts of the API's reference. */
export const toPlainText = (markdown: string): string => markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')

/** Why arguments can't become a request; undefined if they can. The endpoint checks their values. */
export function findUnfit(schema: Json, sent: Arguments): string | undefined {
  const { properties, required = [] } = schema as { properties: Json; required?: string[] }
  const names = Object.keys(properties)
  const unknown = Object.keys(sent).filter(name => !Object.hasOwn(properties, name))
  const missing = required.filter(name => sent[name] === undefined || sent[name] === null)
  if (unknown.length === 0 && missing.length === 0) return undefined
  return [
    ...(unknown.length > 0 ? [`This tool has no argument ${list(unknown.slice(0, NAMED_MAX))}.`] : []),
    ...(missing.length > 0 ? [`It needs ${list(missing)}.`] : []),
    `Its arguments are ${list(names)}.`,
  ].join(' ')
}

const NAMED_MAX = 3
/** Callers choose the names, and an error must stay short. */
const list = (names: string[]) => names.map(name => `"${name.slice(0, 40)}"`).join(', ')

export function toRequest(endpoint: ToolEndpoint, sent: Arguments): ToolRequest {
  const { params, body, tool } = endpoint
  const { query } = describedInput(endpoint)
  const given = Object.entries(sent).filter(([, value]) => value !== undefined && value !== null)
  const pick = (schema: z.ZodObject | undefined) => given.filter(([name]) => name in (schema?.shape ?? {}))
  const { page } = tool
  const inQuery = pick(query).filter(([name]) => !pageParameters(tool).includes(name))
  if (page) {
    inQuery.push([page.size, sent.limit ?? PAGE_SIZE_DEFAULT])
    if (isGiven(sent.cursor)) inQuery.push([page.from, sent.cursor])
  }
  const search = new URLSearchParams(inQuery.map(([name, value]): [string, string] => [name, toText(value)]))
  return {
    params: Object.fromEntries(pick(params).map(([name, value]) => [name, toText(value)])),
    url: `?${search}`,
    body: Object.fromEntries(pick(body)),
  }
}

/** The largest page is the tool's, which is smaller than the endpoint's. */
export const isPageTooLarge = ({ tool }: ToolEndpoint, { limit }: Arguments): boolean =>
  tool.page !== undefined && Number(limit ?? 0) > PAGE_SIZE_MAX

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''
export const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
