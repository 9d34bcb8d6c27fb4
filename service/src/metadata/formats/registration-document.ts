import { cleanName, cleanText } from '@slipway/schema/clean-text'
import { isObject, type JsonObject, type JsonValue } from '../fetched-document.ts'
import type { Gateways } from '../parse-document-uri.ts'
import { type DisplayMetadata, parseDisplayMetadata } from './display-metadata.ts'

/** The fields that we use of an EIP-8004 registration document. */
export interface RegistrationDocument extends DisplayMetadata {
  services: RegistrationService[]
}

export interface RegistrationService {
  name: string
  /** As the document has it: usually a URL, but also a DID or an account. */
  endpoint: string
  version?: string
  skills: RegistrationSkill[]
}

/** Documents list skills as plain words or as A2A objects; both become this. */
export interface RegistrationSkill {
  id: string
  name: string
  description?: string
  tags: string[]
}

const SERVICES_MAX = 64
const SKILLS_MAX = 64
const WORDS_MAX = 32
const WORD_LENGTH_MAX = 256
const SKILL_DESCRIPTION_LENGTH_MAX = 2_048
const ENDPOINT_LENGTH_MAX = 2_048

/** Keeps the usable fields and drops the others. Never throws. */
export function parseRegistrationDocument(document: JsonObject, gateways: Gateways): RegistrationDocument {
  // Drafts of the standard called it `endpoints`, and such documents still exist.
  const services = Array.isArray(document.services) ? document.services : document.endpoints
  return {
    ...parseDisplayMetadata(document, gateways),
    services: parseList(services, SERVICES_MAX, parseService),
  }
}

function parseService(item: JsonValue): RegistrationService | undefined {
  if (!isObject(item)) return undefined
  const name = parseWord(item.name)
  const endpoint = parseEndpoint(item.endpoint)
  if (name === undefined || endpoint === undefined) return undefined
  const version = parseWord(typeof item.version === 'number' ? `${item.version}` : item.version)
  return {
    name,
    endpoint,
    ...(version !== undefined && { version }),
    skills: parseList(item.skills, SKILLS_MAX, parseSkill),
  }
}

/**
 * A URL or another address. Dropped if it is too long or has invisible characters: a changed one would lead
 * elsewhere.
 */
export function parseEndpoint(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' || value.length > ENDPOINT_LENGTH_MAX) return undefined
  const endpoint = value.trim()
  return cleanName(endpoint) === endpoint ? endpoint : undefined
}

export function parseSkill(item: JsonValue): RegistrationSkill | undefined {
  const { id, name, description, tags } = isObject(item) ? item : { id: item }
  const word = parseWord(id) ?? parseWord(name)
  if (word === undefined) return undefined
  const about = cleanText(description, SKILL_DESCRIPTION_LENGTH_MAX)
  return {
    id: word,
    name: parseWord(name) ?? word,
    ...(about !== undefined && { description: about }),
    tags: parseList(tags, WORDS_MAX, parseWord),
  }
}

export const parseWord = (value: JsonValue | undefined) => cleanName(value, WORD_LENGTH_MAX)

export function parseList<T>(
  value: JsonValue | undefined,
  countMax: number,
  parse: (item: JsonValue) => T | undefined,
): T[] {
  const list: T[] = []
  for (const item of Array.isArray(value) ? value : []) {
    if (list.length === countMax) break
    const parsed = parse(item)
    if (parsed !== undefined) list.push(parsed)
  }
  return list
}
