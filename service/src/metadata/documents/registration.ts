import type { JsonObject, JsonValue } from '../document-result.ts'
import type { Gateways } from '../parse-document-uri.ts'
import { isObject } from '../parse-json-object.ts'
import { cleanName, cleanText } from './clean-text.ts'
import { type Face, readFace } from './face.ts'

/** The parts of an EIP-8004 registration document that we use. */
export interface Registration extends Face {
  services: RegistrationService[]
}

export interface RegistrationService {
  name: string
  /** Text from the document: usually a URL, but also a DID or an account. Never fetched or resolved. */
  endpoint: string
  version?: string
  skills: RegistrationSkill[]
}

/** A document names a skill with one word or describes it as A2A does. Both become this. */
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

/** Keeps the valid parts and drops the rest. Never throws. */
export function readRegistration(document: JsonObject, gateways: Gateways): Registration {
  // Drafts of the standard used `endpoints`, and such documents still exist.
  const services = Array.isArray(document.services) ? document.services : document.endpoints
  return { ...readFace(document, gateways), services: readList(services, SERVICES_MAX, parseService) }
}

function parseService(entry: JsonValue): RegistrationService | undefined {
  if (!isObject(entry)) return undefined
  const name = readWord(entry.name)
  const endpoint = cleanName(entry.endpoint, ENDPOINT_LENGTH_MAX + 1)
  // A truncated endpoint would be a different one.
  if (name === undefined || endpoint === undefined || endpoint.length > ENDPOINT_LENGTH_MAX) return undefined
  const version = readWord(typeof entry.version === 'number' ? `${entry.version}` : entry.version)
  return {
    name,
    endpoint,
    ...(version !== undefined && { version }),
    skills: readList(entry.skills, SKILLS_MAX, readSkill),
  }
}

export function readSkill(entry: JsonValue): RegistrationSkill | undefined {
  const { id, name, description, tags } = isObject(entry) ? entry : { id: entry }
  const word = readWord(id) ?? readWord(name)
  if (word === undefined) return undefined
  const about = cleanText(description, SKILL_DESCRIPTION_LENGTH_MAX)
  return {
    id: word,
    name: readWord(name) ?? word,
    ...(about !== undefined && { description: about }),
    tags: readList(tags, WORDS_MAX, readWord),
  }
}

export const readWord = (value: JsonValue | undefined) => cleanName(value, WORD_LENGTH_MAX)

export function readList<T>(
  value: JsonValue | undefined,
  countMax: number,
  read: (entry: JsonValue) => T | undefined,
): T[] {
  const list: T[] = []
  for (const entry of Array.isArray(value) ? value : []) {
    if (list.length === countMax) break
    const item = read(entry)
    if (item !== undefined) list.push(item)
  }
  return list
}
