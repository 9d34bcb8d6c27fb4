import { AgentCard } from '@slipway/schema/agent'
import type { FailureReason } from '../metadata/document-result.ts'
import { parseJsonText } from '../metadata/parse-json-object.ts'

/** Empty when clients of A2A 0.3 or 1.0 can read it, and we can. */
export function faultsOfCard(body: Uint8Array): string[] {
  const read = parseJsonText(decode(body))
  if (!read.ok) return [WORDS[read.reason] ?? NOT_JSON]
  const parsed = AgentCard.safeParse(read.value)
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).slice(0, 5)
  const { supportedInterfaces = [], protocolVersion, url } = parsed.data
  // One interface that lacks these is enough for readers of 1.0 to fail on the whole card.
  const lacking = supportedInterfaces.flatMap((one, at) =>
    (['protocolBinding', 'protocolVersion'] as const)
      .filter(name => !one[name])
      .map(name => `supportedInterfaces.${at}.${name}: it is missing`),
  )
  if (lacking.length > 0) return lacking.slice(0, 5)
  const isReadable = supportedInterfaces.length > 0 || (protocolVersion && url)
  return isReadable ? [] : ['it needs supportedInterfaces (A2A 1.0), or url and protocolVersion (A2A 0.3)']
}

const NOT_JSON = 'it is not JSON in UTF-8 without a byte order mark'

const WORDS: Partial<Record<FailureReason, string>> = {
  'not-an-object': 'the whole: it is not an object',
  // Reading such a one is no trouble, but printing it again as part of the agent is.
  'too-complex': 'it goes deeper than 64 levels or holds more than 20,000 values',
}

/** A byte order mark stays in and makes it no JSON: it would be served with the card, and many readers trip over it. */
function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return ''
  }
}
