import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorCode } from '@slipway/schema/errors'
import type { z } from 'zod'
import type { Deadline } from '../lib/deadline.ts'
import type { Tool } from './tool.ts'

/** Bytes that were built before the request arrived. */
export interface PreparedAnswer {
  kind: 'prepared'
  snapshot: Snapshot
  cacheControl: string
  /** JSON by default. */
  contentType?: string
  /** Set if the answer depends on the `Accept` header. */
  variesByAccept?: boolean
  /** For a list in a format that has no place for it: the URL of the next page. */
  nextPage?: string | undefined
  /** For content that strangers wrote, such as a hosted document: a browser must not run it as a page of ours. */
  isUntrusted?: boolean
}

/** A response that goes on until the client or the endpoint ends it. It is never cached. */
export interface StreamAnswer {
  kind: 'stream'
  contentType: string
  /** Called once. It must write something at once: the head is sent together with it. */
  start(stream: ResponseStream): void
}

/** The body of a stream. After it has ended, writing does nothing. */
export interface ResponseStream {
  /** Bytes that the system has not taken, because the client doesn't read them. */
  pendingBytes(): number
  /** Returns false if the caller should wait for `onDrain` before it writes more. */
  write(bytes: Buffer): boolean
  /** Calls back once, when nothing is pending any more. Only after `write` has returned false. */
  onDrain(callback: () => void): void
  /** Calls back once, when the stream has ended in whatever way, even if it has already. */
  onEnd(callback: () => void): void
  /** Ends the stream. A client that doesn't read what is left is soon disconnected. */
  end(): void
}

/** What an endpoint answers with, before conditional requests and content encoding. */
export type Answer = { kind: 'json'; value: object; cacheControl?: string } | PreparedAnswer | StreamAnswer

/** Who sent a request, and until when it must be answered. */
export interface RequestScope {
  /** The key of the client's limits. */
  client: string
  deadline: Deadline
}

/** What a handler gets besides its input. */
export interface RequestHead extends RequestScope {
  headers: IncomingHttpHeaders
}

/**
 * For a handler that has stored a change: calls `show`, and waits until the node's own answers show the change. It
 * never rejects, because the change is stored.
 */
export type ShowChange = (deadline: Deadline, show: () => Promise<unknown>) => Promise<void>

type Fields = z.ZodObject | undefined
type Parsed<Shape extends Fields> = Shape extends z.ZodObject ? z.output<Shape> : Record<string, never>

/** The contract of an endpoint and its handler in one place: validation, types and OpenAPI come from here. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `{name}` for each part that varies. */
  path: `/v1/${string}` | `/.well-known/${string}` | `/ard/${string}`
  /** Values that the last part of the path never takes, because another endpoint has that path. */
  reserved?: readonly string[]
  /** The name of the operation in generated clients. */
  id: string
  tag: Tag
  summary: string
  /** Markdown. */
  description: string
  /** The method of `@slipway/client`, such as `agents.get`. It takes the path's parameters, then the body. */
  clientCall?: string
  /** Set if language models can call it. */
  tool?: Tool
  /** Every field needs a description; a path's parameter also an example. */
  params?: z.ZodObject
  query?: z.ZodObject
  /** Has an example in its metadata. */
  body?: z.ZodObject
  /**
   * The error for an invalid field; `body` is for a body that is not a JSON object. A field inside another is written
   * as in `launch.allocations.*.type`, and has the error of the outer one by default.
   */
  faults: Record<string, ErrorCode>
  success: {
    description: string
    /** Of a stream: what each of its events carries. */
    schema: z.ZodType
    example: object
    conditional?: boolean
    /** JSON by default. */
    contentType?: string
  }
  /** Request headers that the endpoint reads, with their descriptions. */
  headers?: Record<string, string>
  /** Further errors that the handler can answer with. */
  errors: ErrorCode[]
  /** Whether a validation error also lists the invalid fields. */
  reportsDetails?: boolean
  /** The error for an unexpected exception; `INTERNAL` by default. */
  unexpected?: ErrorCode
  /** Replaces the limit of three seconds, after which the request fails as if whatever it waits for were down. */
  limitMs?: number
  /** Named example requests. */
  uses?: { title: string; query: string; description: string }[]
  /**
   * The fast path of a GET: looks the answer up in memory before routing. It must not wait, and costs every matching
   * request its time. Without an answer, the request is routed to `answer`.
   */
  prepared?(input: { params: never; query: never }): PreparedAnswer | undefined
  answer(input: { params: never; query: never; body: never } & RequestHead): Answer | Promise<Answer>
}

/** Gives the handlers the types of the endpoint's own schemas. */
export function defineEndpoint<
  Params extends Fields = undefined,
  Query extends Fields = undefined,
  Body extends Fields = undefined,
>(
  endpoint: Omit<Endpoint, 'params' | 'query' | 'body' | 'prepared' | 'answer'> & {
    params?: Params
    query?: Query
    body?: Body
    prepared?(input: { params: Parsed<Params>; query: Parsed<Query> }): PreparedAnswer | undefined
    answer(
      input: { params: Parsed<Params>; query: Parsed<Query>; body: Parsed<Body> } & RequestHead,
    ): Answer | Promise<Answer>
  },
): Endpoint {
  return endpoint as Endpoint
}

export const hasTool = (endpoint: Endpoint): endpoint is Endpoint & { tool: Tool } =>
  endpoint.tool !== undefined

export type Encoding = 'identity' | 'gzip' | 'br'

/** The exact bytes of an answer in one encoding, with their strong ETag. */
export interface Representation {
  readonly encoding: Encoding
  readonly etag: string
  readonly parts: readonly Buffer[]
  readonly length: number
}

/** What a response sends. */
export type Body = Pick<Representation, 'parts'>

/** One answer in the encodings that are ready. Identity is always ready; the others may come later. */
export interface Snapshot {
  identity: Representation
  gzip?: Representation
  br?: Representation
}

/** Gives bytes a strong ETag that depends on nothing else: it is the same on every node and after every restart. */
export function createSnapshot(bytes: Buffer): Snapshot {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
  return { identity: { encoding: 'identity', etag: `"${tag}"`, parts: [bytes], length: bytes.length } }
}

/** The groups of endpoints in the API reference, in its order. */
export const TAGS = {
  Agents:
    'An agent is a Core asset with a registered identity, a registration document and a wallet. Anyone can look agents up and fund them. Only the owner can withdraw.',
  Launches:
    'A launch sells a new token in a launch pool or on a bonding curve. Create one, register it, and it appears in the listings.',
  Tokens: 'Tokens that have a registered launch.',
  Wallets: 'What a wallet has in launches, and what it has created and owns.',
  'Creator rewards':
    "Launches owe their creators a share of every trade, which each launch keeps in one or more buckets. Look up a wallet's buckets, and claim them.",
  Social: 'Proofs that a launch and an account at a social network belong together.',
  Documents: 'Documents of agents and tokens that are hosted here, under the SHA-256 of their bytes.',
  Discovery:
    'A registry of the agents that offer a service, as the Agentic Resource Discovery specification (ARD) describes it. `/.well-known/ai-catalog.json` leads to it.',
  Events: 'What happens to launches and agents, as it happens.',
  Operations: 'For operators and load balancers. These requests do not count against the rate limits.',
} as const

export type Tag = keyof typeof TAGS
