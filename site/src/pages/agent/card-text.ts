import type { Agent, ErrorDetail } from '@slipway/client'
import { agentTitle } from '../../lib/agents.ts'
import { isWebUrl } from '../../lib/links.ts'
import { isObject, parseList, parseText } from '../../lib/parse-json.ts'
import type { ChangedPart } from '../../owner-changes/changed-part.ts'

/**
 * The agent's card to edit, or the beginnings of one. A signature would not match once the card is edited. In a card
 * that the service has built, `url` is the card's own address; in a card that a person writes, it is the agent's
 * endpoint.
 */
export function startCard(agent: Agent, publicUrl: string): Record<string, unknown> {
  const { signatures: _, ...card } = (agent.a2aCard ?? createCard(agent)) as Record<string, unknown>
  if (hasOwnUrl(card, publicUrl)) delete card.url
  return card
}

/**
 * Whether the agent's card was written by a person. One that the service has built has an address of the service, and
 * is signed if the service signs cards.
 */
export function isOwnCard(
  { a2aCard }: Agent,
  { publicUrl, signsCards }: { publicUrl: string; signsCards: boolean },
): boolean {
  if (!a2aCard) return false
  return !hasOwnUrl(a2aCard, publicUrl) || (signsCards && parseList(a2aCard.signatures).length === 0)
}

const hasOwnUrl = ({ url }: { url?: unknown }, publicUrl: string): boolean =>
  parseText(url)?.startsWith(`${publicUrl}/`) === true

const createCard = (agent: Agent): Record<string, unknown> => ({
  name: agent.name.trim() || agentTitle(agent),
  description: agent.description,
  version: '1.0.0',
  supportedInterfaces: [
    { url: 'https://agents.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
})

/** The whole request is limited to 64 KiB; the rest is for the signature. */
const BYTES_MAX = 63 * 1_024

export type ParsedCardText = { card: Record<string, unknown> } | { fault: string }

export function parseCardText(text: string): ParsedCardText {
  if (text.trim() === '') return { fault: 'Enter a card, as JSON.' }
  let card: unknown
  try {
    card = JSON.parse(text)
  } catch (error) {
    return { fault: describeSyntaxError(text, (error as Error).message) }
  }
  if (!isObject(card)) return { fault: 'A card is an object: it starts with { and ends with }.' }
  const bytes = new TextEncoder().encode(JSON.stringify(card)).length
  if (bytes > BYTES_MAX)
    return { fault: `It is ${Math.ceil(bytes / 1_024)} KiB; at most 63 KiB are allowed.` }
  const fault = findUrlFault(card)
  return fault === undefined ? { card } : { fault }
}

/** The API stores any text as a URL. A page would show one that is not a web address as text. */
function findUrlFault(card: Record<string, unknown>): string | undefined {
  const urls: [string, unknown][] = [['url', card.url]]
  for (const list of ['supportedInterfaces', 'additionalInterfaces'])
    for (const [at, one] of parseList(card[list]).entries())
      if (isObject(one)) urls.push([`${list}[${at}].url`, one.url])
  const faulty = urls.find(([, url]) => typeof url === 'string' && !isWebUrl(url))
  return faulty && `\`${faulty[0]}\` must be an address that starts with https:// or http://.`
}

/** Browsers name a line, a position or nothing. */
function describeSyntaxError(text: string, message: string): string {
  const line = findLine(text, message)
  const reason = message
    .replace(/^JSON\.parse: |^JSON Parse error: /, '')
    .replace(/, (?:\.\.\.)?".*is not valid JSON$/s, '')
    .replace(/ (?:in JSON )?at (?:position|line) .*$/s, '')
    .replace(/ of the JSON data$/, '')
  return `${line === undefined ? '' : `Line ${line}: `}${reason}. The text is not JSON yet.`
}

function findLine(text: string, message: string): number | undefined {
  const line = /\bline (\d+)/.exec(message)?.[1]
  if (line !== undefined) return Number(line)
  if (/end of (?:JSON|data)|EOF/i.test(message)) return text.trimEnd().split('\n').length
  const named = /\bposition (\d+)/.exec(message)?.[1]
  const position = named === undefined ? findIllegalToken(text) : Number(named)
  return position === undefined ? undefined : text.slice(0, position).split('\n').length
}

const TOKEN = /\s*(?:[{}[\],:]|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null)/iy

/** Where the text stops being tokens of JSON. Chromium gives no position for an unknown token. */
function findIllegalToken(text: string): number | undefined {
  TOKEN.lastIndex = 0
  let end = 0
  while (TOKEN.test(text)) end = TOKEN.lastIndex
  const rest = text.slice(end)
  return rest.trim() === '' ? undefined : end + rest.length - rest.trimStart().length
}

/** As sentences. `card.skills.0.name` becomes `skills[0].name`. */
export function describeDetails(details: readonly ErrorDetail[]): string {
  return details
    .map(({ path, message }) => {
      const place = path.replace(/^card\.?/, '').replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]')
      return `${place === '' ? 'The card' : `\`${place}\``} ${message}.`
    })
    .join('\n')
}

const LABELS = new Map([
  ['name', 'Name'],
  ['description', 'Description'],
  ['version', 'Version'],
  ['skills', 'Skills'],
  ['supportedInterfaces', 'Reach it at'],
])

/** The agent's name, and every field of the card that changes. */
export function listCardChanges(
  shown: Record<string, unknown> | null,
  card: Record<string, unknown>,
): ChangedPart[] {
  const current = shown ?? {}
  return Object.keys({ ...current, ...card }).flatMap(field => {
    const isChanged = JSON.stringify(current[field]) !== JSON.stringify(card[field])
    // A signature of the card that is shown now goes with that card.
    if (field === 'signatures' ? card[field] === undefined : !isChanged && field !== 'name') return []
    return {
      name: LABELS.get(field) ?? field,
      before: describeField(current[field]),
      after: describeField(card[field]),
      isChanged,
    }
  })
}

/** Whether both say the same, apart from their signatures and the order of their fields. */
export const isSameCard = (one: Record<string, unknown>, other: Record<string, unknown>): boolean =>
  listCardChanges(one, other).every(({ isChanged }) => !isChanged)

/** Items of a list go by their name or URL. */
function describeField(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value || undefined
  if (!Array.isArray(value)) return JSON.stringify(value)
  const items = value.map(
    item =>
      (isObject(item) && (parseText(item.name) ?? parseText(item.url))) ||
      parseText(item) ||
      JSON.stringify(item),
  )
  return items.join(', ') || undefined
}
