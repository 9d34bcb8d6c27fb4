import { AgentCard } from '@slipway/schema/agent'
import type { FailureReason } from '../metadata/document-result.ts'
import { parseJsonText } from '../metadata/parse-json-object.ts'

/** Returns the problems of a card. There are none if clients of A2A 0.3 or 1.0 can read it and we can serve it. */
export function validateCard(body: Uint8Array): string[] {
  const json = parseJsonText(decode(body))
  if (!json.ok) return [PROBLEMS[json.reason] ?? NOT_JSON]
  const parsed = AgentCard.safeParse(json.value)
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).slice(0, 5)
  const { supportedInterfaces = [], protocolVersion, url } = parsed.data
  // Clients of 1.0 reject the whole card if one interface lacks these.
  const missing = supportedInterfaces.flatMap((one, at) =>
    (['protocolBinding', 'protocolVersion'] as const)
      .filter(name => !one[name])
      .map(name => `supportedInterfaces.${at}.${name}: it is missing`),
  )
  if (missing.length > 0) return missing.slice(0, 5)
  const isReadable = supportedInterfaces.length > 0 || (protocolVersion && url)
  return isReadable ? [] : ['it needs supportedInterfaces (A2A 1.0), or url and protocolVersion (A2A 0.3)']
}

const NOT_JSON = 'it is not JSON in UTF-8 without a byte order mark'

const PROBLEMS: Partial<Record<FailureReason, string>> = {
  'not-an-object': 'it is not an object',
  // Such a card can be parsed, but not serialised again as part of the agent.
  'too-complex': 'it is nested deeper than 64 levels or has more than 20,000 values',
}

/** Keeps a byte order mark, which makes the JSON invalid: it would be served with the card, and many clients fail on it. */
function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return ''
  }
}
