import { createInterface } from 'node:readline'
import { type CommandContext, UsageError } from './command-context.ts'

interface Message {
  id?: string | number | null
  method?: unknown
  params?: { name?: unknown; uri?: unknown; _meta?: Record<string, unknown> }
}

const PARSE_ERROR = -32_700
const INTERNAL_ERROR = -32_603
/** Longer than any endpoint takes. */
const ANSWER_MS_MAX = 60_000
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/**
 * Passes messages on from standard input to a deployment, and its answers back to standard output, one per line. So the tools
 * are always those of the deployment.
 */
export async function serveMcp({ config, host, values }: CommandContext): Promise<void> {
  const url = parseUrl(values.url ?? `http://localhost:${config.port}`)
  // What an earlier client has agreed on. A newer one says its version in every message.
  let agreed: string | undefined

  async function pass(line: string): Promise<void> {
    const message = parse(line)
    if (!message)
      return answer({ error: { code: PARSE_ERROR, message: 'This line is not a JSON object' }, id: null })
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: headersOf(message, agreed),
        body: line,
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      })
      const body = await response.text()
      if (message.id === undefined || message.id === null) return
      const answered = parse(body) as {
        result?: { protocolVersion?: string }
        error?: unknown
        jsonrpc?: string
      }
      if (answered?.jsonrpc !== '2.0')
        return fail(message.id, `${url} answered with status ${response.status}`)
      if (message.method === 'initialize') agreed = answered.result?.protocolVersion
      // A refusal before the message was read has no id.
      answer({ ...answered, id: message.id })
    } catch (error) {
      const { cause = error } = error as Error
      if (message.id !== undefined) fail(message.id, `${url} can't be reached: ${(cause as Error).message}`)
    }
  }

  const answer = (message: object) =>
    void host.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const fail = (id: Message['id'], text: string) =>
    answer({ id, error: { code: INTERNAL_ERROR, message: text } })

  const open = new Set<Promise<void>>()
  for await (const line of createInterface({ input: host.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const passing = pass(line)
    open.add(passing)
    void passing.finally(() => open.delete(passing))
    // Nothing may overtake the message in which the version is agreed on.
    if (isInitialize(line)) await passing
  }
  await Promise.all(open)
}

const isInitialize = (line: string) => parse(line)?.method === 'initialize'

function parseUrl(text: string): string {
  try {
    const { protocol, href } = new URL(text)
    if (protocol === 'http:' || protocol === 'https:') return `${href.replace(/\/$/, '')}/mcp`
  } catch {}
  throw new UsageError('--url must be an http(s) URL.')
}

function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What a newer client says about a message in headers, so that proxies need not read it. */
function headersOf({ method, params }: Message, agreed: string | undefined): Record<string, string> {
  const version = params?._meta?.[VERSION_KEY] ?? agreed
  const name = params?.name ?? params?.uri
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(typeof version === 'string' && { 'MCP-Protocol-Version': encode(version) }),
    ...(params?._meta?.[VERSION_KEY] !== undefined && {
      ...(typeof method === 'string' && { 'Mcp-Method': encode(method) }),
      ...(typeof name === 'string' && { 'Mcp-Name': encode(name) }),
    }),
  }
}

/** A header has only printable ASCII. */
const encode = (value: string) =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`
