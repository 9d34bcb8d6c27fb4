import { AgentCard } from '@slipway/schema/agent'
import { describeIssue } from '@slipway/schema/describe-issue'
import { type FailureReason, parseJsonText } from '../metadata/fetched-document.ts'

/** Returns the problems of a card, or an empty list if A2A 0.3 and 1.0 clients can read it and we can serve it. */
export function validateCard(body: Uint8Array): string[] {
  const json = parseJsonText(decode(body))
  if (!json.ok) return [PROBLEMS[json.reason] ?? NOT_JSON]
  return findCardProblems(json.value).map(({ path, message }) => (path ? `${path}: ${message}` : message))
}

const PROBLEMS_MAX = 5

interface CardProblem {
  /** As in `skills.0.name`; empty for the card itself. */
  path: string
  message: string
}

/** The same for a card that is parsed already. Without `needsVersion`, a URL alone is enough for A2A 0.3. */
export function findCardProblems(card: object, { needsVersion = true } = {}): CardProblem[] {
  const parsed = AgentCard.safeParse(card, { error: describeIssue })
  if (!parsed.success)
    return parsed.error.issues
      .slice(0, PROBLEMS_MAX)
      .map(({ path, message }) => ({ path: path.join('.'), message }))
  const { supportedInterfaces = [], protocolVersion, url } = parsed.data
  // Clients of 1.0 reject the whole card if one interface lacks these.
  const missing = supportedInterfaces.flatMap((one, at) =>
    (['protocolBinding', 'protocolVersion'] as const)
      .filter(name => !one[name])
      .map(name => ({ path: `supportedInterfaces.${at}.${name}`, message: 'it is missing' })),
  )
  if (missing.length > 0) return missing.slice(0, PROBLEMS_MAX)
  if (supportedInterfaces.length > 0 || (url && (protocolVersion || !needsVersion))) return []
  const needed = needsVersion ? 'url and protocolVersion' : 'url'
  return [{ path: '', message: `it needs supportedInterfaces (A2A 1.0), or ${needed} (A2A 0.3)` }]
}

const NOT_JSON = 'it is not JSON in UTF-8 without a byte order mark'

const PROBLEMS: Partial<Record<FailureReason, string>> = {
  'not-an-object': 'it is not an object',
  // Such a card can be parsed, but not serialised again as part of the agent.
  'too-complex': 'it is nested deeper than 64 levels or has more than 20,000 values',
}

/**
 * Keeps a byte order mark, which makes the JSON invalid: it would be served with the card, and many clients fail on
 * it.
 */
function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return ''
  }
}
