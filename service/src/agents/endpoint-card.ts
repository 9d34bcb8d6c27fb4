import type { AgentCard } from '@slipway/schema/agent'
import { parseUrl } from '@slipway/schema/url'
import { isObject, type JsonObject, type JsonValue } from '../metadata/fetched-document.ts'
import {
  parseEndpoint,
  parseList,
  parseSkill,
  parseWord,
  type RegistrationSkill,
} from '../metadata/formats/registration-document.ts'

/** The parts of a card hosted elsewhere that a synthesised card uses. */
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

/** Takes what is usable, whichever version the card has, and drops the rest. Never throws. */
export function parseEndpointCard(card: JsonObject): EndpointCard {
  const version = parseWord(card.version)
  const provider = parseProvider(card.provider)
  return {
    ...(version !== undefined && { version }),
    interfaces: parseInterfaces(card),
    streaming: isObject(card.capabilities) && card.capabilities.streaming === true,
    ...(provider && { provider }),
    skills: parseList(card.skills, SKILLS_MAX, parseSkill),
    inputModes: parseList(card.defaultInputModes, MODES_MAX, parseWord),
    outputModes: parseList(card.defaultOutputModes, MODES_MAX, parseWord),
  }
}

function parseInterfaces(card: JsonObject): Interface[] {
  const version = parseWord(card.protocolVersion)
  const url = parseHttpUrl(card.url)
  // In version 0.3, the main endpoint is at the top level. A URL that ends in `.json` is the card's own, as in our
  // cards.
  const main =
    url && !url.endsWith('.json') ? [toInterface(url, parseWord(card.preferredTransport), version)] : []
  const listed = [card.supportedInterfaces, card.additionalInterfaces].flatMap(list =>
    parseList(list, INTERFACES_MAX, one => {
      const at = isObject(one) ? parseHttpUrl(one.url) : undefined
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

function parseProvider(provider: JsonValue | undefined): EndpointCard['provider'] {
  if (!isObject(provider)) return undefined
  const organization = parseWord(provider.organization)
  const url = parseHttpUrl(provider.url)
  return organization && url ? { organization, url } : undefined
}

function parseHttpUrl(value: JsonValue | undefined): string | undefined {
  const url = parseEndpoint(value)
  return url && isHttpUrl(url) ? url : undefined
}

export const isHttpUrl = (text: string) => /^https?:$/.test(parseUrl(text)?.protocol ?? '')
