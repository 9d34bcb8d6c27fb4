import { readSkills } from '../../lib/agents.ts'
import { cut, isObject, parseList, parseText, parseTexts } from '../../lib/parse-json.ts'

/** The parts of a card that a page shows. Its author may have written anything, so every field is checked. */
export interface CardContent {
  version: string | undefined
  interfaces: { url: string; binding: string | undefined; version: string | undefined }[]
  skills: { id: string; name: string; description: string | undefined; tags: string[] }[]
  inputModes: string[]
  outputModes: string[]
  /** Names of the capabilities that it has. */
  capabilities: string[]
  provider: { name: string; url: string | undefined } | undefined
  documentationUrl: string | undefined
}

const SKILLS_MAX = 100
const INTERFACES_MAX = 16
const NAME_LENGTH_MAX = 120
const WORD_LENGTH_MAX = 48

export function parseCard(card: Record<string, unknown>): CardContent {
  return {
    version: readWord(card.version),
    interfaces: parseInterfaces(card),
    skills: parseSkills(card),
    inputModes: parseTexts(card.defaultInputModes).map(cutWord),
    outputModes: parseTexts(card.defaultOutputModes).map(cutWord),
    capabilities: parseCapabilities(card.capabilities),
    provider: parseProvider(card.provider),
    documentationUrl: parseText(card.documentationUrl),
  }
}

/**
 * Those of version 1.0, which a signature covers. An older card has its main endpoint at the top level, and others
 * beside it.
 */
function parseInterfaces(card: Record<string, unknown>): CardContent['interfaces'] {
  const current = readInterfaces(card.supportedInterfaces)
  if (current.length > 0) return current
  const version = readWord(card.protocolVersion)
  const url = parseText(card.url)
  const main =
    url && !url.endsWith('.json') ? [{ url, binding: readWord(card.preferredTransport), version }] : []
  const others = readInterfaces(card.additionalInterfaces).map(one => ({
    ...one,
    version: one.version ?? version,
  }))
  return [...main, ...others.filter(one => one.url !== url)].slice(0, INTERFACES_MAX)
}

const cutWord = (text: string) => cut(text, WORD_LENGTH_MAX)

function readWord(value: unknown): string | undefined {
  const text = parseText(value)
  return text && cutWord(text)
}

const readInterfaces = (value: unknown): CardContent['interfaces'] =>
  parseList(value)
    .flatMap(one => {
      const url = isObject(one) ? parseText(one.url) : undefined
      if (!isObject(one) || url === undefined) return []
      const binding = readWord(one.protocolBinding) ?? readWord(one.transport)
      return [{ url, binding, version: readWord(one.protocolVersion) }]
    })
    .slice(0, INTERFACES_MAX)

const parseSkills = (card: Record<string, unknown>): CardContent['skills'] =>
  readSkills(card)
    .slice(0, SKILLS_MAX)
    .flatMap((skill, at) => {
      const name = parseText(skill.name) ?? parseText(skill.id)
      if (name === undefined) return []
      const description = parseText(skill.description)
      return [
        {
          id: `${at}`,
          name: cut(name, NAME_LENGTH_MAX),
          // Many cards only repeat the name.
          description: description?.replace(/\.$/, '') === name ? undefined : description,
          tags: parseTexts(skill.tags).map(cutWord),
        },
      ]
    })

const CAPABILITIES: Record<string, string> = {
  streaming: 'Streaming',
  pushNotifications: 'Push notifications',
  extendedAgentCard: 'Extended card',
  stateTransitionHistory: 'History of states',
}

const parseCapabilities = (value: unknown): string[] =>
  isObject(value)
    ? Object.entries(CAPABILITIES).flatMap(([key, name]) => (value[key] === true ? name : []))
    : []

function parseProvider(value: unknown): CardContent['provider'] {
  const name = isObject(value) ? parseText(value.organization) : undefined
  return isObject(value) && name ? { name: cut(name, NAME_LENGTH_MAX), url: parseText(value.url) } : undefined
}

/**
 * `own`: signed by this service, and it matches. `mismatch`: it says so, but it does not match. `foreign`: signed by
 * others, whose keys are not ours to fetch. `unavailable`: this browser could not check. `pending`: not checked yet.
 */
export type SignatureState = 'none' | 'pending' | 'own' | 'mismatch' | 'foreign' | 'unavailable'

/** What cards and documents say in words of their standards. */

const MODES: [pattern: RegExp, words: string][] = [
  [/^text(\/plain)?$/i, 'Text'],
  [/^text\/markdown$/i, 'Formatted text'],
  [/^text\/html$/i, 'Web pages'],
  [/^application\/json$/i, 'JSON'],
  [/^application\/pdf$/i, 'PDF'],
  [/^image\//i, 'Pictures'],
  [/^audio\//i, 'Sound'],
  [/^video\//i, 'Video'],
]

/** A kind of content, such as `text/plain`. Uncommon ones stay as they are. */
export const describeMode = (mode: string): string =>
  MODES.find(([pattern]) => pattern.test(mode))?.[1] ?? mode

const TRUST: Record<string, string> = {
  reputation: 'Ratings by those who used it',
  'crypto-economic': 'A stake that it can lose',
  'tee-attestation': 'Proof of the hardware that it runs on',
}

/** What EIP-8004 calls a trust model. */
export const describeTrust = (model: string): string =>
  Object.hasOwn(TRUST, model) ? (TRUST[model] as string) : model
