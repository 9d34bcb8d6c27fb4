import type { ErrorCode } from '@slipway/schema/errors'
import type { z } from 'zod'
import type { Snapshot } from './representation.ts'

/** What an endpoint answers with, before conditional requests and content encoding. */
export type Answer =
  | { kind: 'json'; value: object; cacheControl?: string }
  /** Bytes that were prepared before the request came. */
  | { kind: 'prepared'; snapshot: Snapshot; cacheControl: string }

type Fields = z.ZodObject | undefined
type Parsed<Shape extends Fields> = Shape extends z.ZodObject ? z.output<Shape> : Record<string, never>

/** The contract of an endpoint and its handler in one place: validation, types and OpenAPI come from here. */
export interface Endpoint {
  method: 'GET' | 'POST'
  /** With `{name}` for each part that varies. */
  path: `/v1/${string}`
  /** What the last part of the path never stands for, because another endpoint is called that. */
  reserved?: readonly string[]
  id: string
  tag: string
  summary: string
  description: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** What a fault in a field is answered with; `body` stands for a body that is no JSON object. */
  faults: Record<string, ErrorCode>
  success: { description: string; schema: z.ZodType; example: object; conditional?: boolean }
  /** Further errors that the handler can answer with. */
  errors: ErrorCode[]
  /** What an unexpected fault is answered with; without it, the words that fit everywhere. */
  unexpected?: ErrorCode
  /** Requests worth naming. */
  uses?: { title: string; query: string; description: string }[]
  answer(input: { params: never; query: never; body: never }): Answer | Promise<Answer>
}

/** Gives the handler the types of its own schemas. */
export function defineEndpoint<
  Params extends Fields = undefined,
  Query extends Fields = undefined,
  Body extends Fields = undefined,
>(
  endpoint: Omit<Endpoint, 'params' | 'query' | 'body' | 'answer'> & {
    params?: Params
    query?: Query
    body?: Body
    answer(input: {
      params: Parsed<Params>
      query: Parsed<Query>
      body: Parsed<Body>
    }): Answer | Promise<Answer>
  },
): Endpoint {
  return endpoint as Endpoint
}
