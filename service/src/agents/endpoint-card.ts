import type { AgentCard } from '@slipway/schema/agent'
import type { JsonObject, JsonValue } from '../metadata/document-result.ts'
import { cleanName } from '../metadata/documents/clean-text.ts'
import {
  parseList,
  parseSkill,
  parseWord,
  type RegistrationSkill,
} from '../metadata/documents/registration-document.ts'
import { isObject } from '../metadata/parse-json-object.ts'

/** What we take over of a card that somebody else hosts. */
export interface EndpointCard {
  version?: string
  interfaces: Interface[]
  streaming: boolean
  provider?: NonNullable<AgentCard['provider']>
  skills: RegistrationSkill[]
  inputModes: string[]
  outputModes: string[]
}

type Interface = NonNullable<AgentCard['supportedInterfaces']>[number]

export const PROTOCOL_VERSION = '0.3.0'
const INTERFACES_MAX = 16
const SKILLS_MAX = 64
const MODES_MAX = 32
const URL_LENGTH_MAX = 2_048

/** Takes what is usable, whichever version the card was written for, and drops the rest. Never throws. */
export function readEndpointCard(card: JsonObject): EndpointCard {
  const version = parseWord(card.version)
  const provider = readProvider(card.provider)
  return {
    ...(version !== undefined && { version }),
    interfaces: readInterfaces(card),
    streaming: isObject(card.capabilities) && card.capabilities.streaming === true,
    ...(provider && { provider }),
    skills: parseList(card.skills, SKILLS_MAX, parseSkill),
    inputModes: parseList(card.defaultInputModes, MODES_MAX, parseWord),
    outputModes: parseList(card.defaultOutputModes, MODES_MAX, parseWord),
  }
}

function readInterfaces(card: JsonObject): Interface[] {
  const version = parseWord(card.protocolVersion)
  const url = readUrl(card.url)
  // Version 0.3 has its main endpoint at the top. One that ends in `.json` is a card's own address, as ours is.
  const main =
    url && !url.endsWith('.json') ? [toInterface(url, parseWord(card.preferredTransport), version)] : []
  const listed = [card.supportedInterfaces, card.additionalInterfaces].flatMap(list =>
    parseList(list, INTERFACES_MAX, one => {
      const at = isObject(one) ? readUrl(one.url) : undefined
      if (!isObject(one) || !at) return undefined
      const binding = parseWord(one.protocolBinding) ?? parseWord(one.transport)
      return toInterface(at, binding, parseWord(one.protocolVersion) ?? version)
    }),
  )
  return [...main, ...listed].slice(0, INTERFACES_MAX)
}

export const toInterface = (
  url: string,
  protocolBinding = 'JSONRPC',
  protocolVersion = PROTOCOL_VERSION,
): Interface => ({ url, protocolBinding, protocolVersion, transport: protocolBinding })

function readProvider(provider: JsonValue | undefined): EndpointCard['provider'] {
  if (!isObject(provider)) return undefined
  const organization = parseWord(provider.organization)
  const url = readUrl(provider.url)
  return organization && url ? { organization, url } : undefined
}

/** Half a URL is another one. */
function readUrl(value: JsonValue | undefined): string | undefined {
  const url = cleanName(value, URL_LENGTH_MAX + 1)
  return url && url.length <= URL_LENGTH_MAX && isHttpUrl(url) ? url : undefined
}

export const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
