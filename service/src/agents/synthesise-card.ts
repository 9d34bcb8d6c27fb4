import type { AgentCard } from '@slipway/schema/agent'
import type { Registration, RegistrationService } from '../metadata/documents/registration.ts'

export interface CardSource {
  /** The public URL of the card itself. */
  url: string
  name: string
  description: string
  image: string | undefined
  registration: Registration
  /** The card that an A2A endpoint of the registration turned out to be, as its host served it. */
  endpointCard: Record<string, unknown> | undefined
}

type Interface = NonNullable<AgentCard['supportedInterfaces']>[number]
type Skill = AgentCard['skills'][number]

const PROTOCOL_VERSION = '0.3.0'
const INTERFACES_MAX = 16
const SKILLS_MAX = 64

/**
 * A card made of a registration document. The same source gives the same card. Readers of A2A 0.3 find
 * `protocolVersion` and `additionalInterfaces`, those of 1.0 `supportedInterfaces`.
 */
export function synthesiseCard(source: CardSource): AgentCard {
  const { registration, endpointCard, image } = source
  const interfaces = interfacesOf(registration, endpointCard)
  const provider = providerOf(endpointCard)
  return {
    name: source.name,
    description: source.description || source.name,
    url: source.url,
    version: textOf(endpointCard?.version) ?? '1.0.0',
    protocolVersion: interfaces[0]?.protocolVersion ?? PROTOCOL_VERSION,
    ...(interfaces.length > 0 && { supportedInterfaces: interfaces, additionalInterfaces: interfaces }),
    ...(image !== undefined && { iconUrl: image }),
    ...(provider && { provider }),
    capabilities: {
      streaming: isObject(endpointCard?.capabilities) && endpointCard.capabilities.streaming === true,
    },
    skills: skillsOf(source),
    defaultInputModes: modesOf(endpointCard?.defaultInputModes),
    defaultOutputModes: modesOf(endpointCard?.defaultOutputModes),
  }
}

/** The A2A endpoint that is itself a card, to be fetched before the card is made. */
export function cardEndpointOf({ services }: Registration): string | undefined {
  return services.filter(isA2a).find(isCardUrl)?.endpoint
}

function interfacesOf({ services }: Registration, endpointCard: CardSource['endpointCard']): Interface[] {
  const named = services
    .filter(isA2a)
    .flatMap(service =>
      isCardUrl(service)
        ? interfacesOfCard(endpointCard)
        : [toInterface(service.endpoint, 'JSONRPC', service.version)],
    )
  const byUrl = new Map(named.map(one => [`${one.protocolBinding} ${one.url}`, one]))
  return [...byUrl.values()].slice(0, INTERFACES_MAX)
}

/** What another card offers, whichever version it was written for. */
function interfacesOfCard(card: CardSource['endpointCard']): Interface[] {
  if (!card) return []
  const version = textOf(card.protocolVersion)
  const listed = [card.supportedInterfaces, card.additionalInterfaces].flat().flatMap(one => {
    if (!isObject(one)) return []
    const url = textOf(one.url)
    const binding = textOf(one.protocolBinding) ?? textOf(one.transport) ?? 'JSONRPC'
    return url && isHttpUrl(url) ? [toInterface(url, binding, textOf(one.protocolVersion) ?? version)] : []
  })
  const url = textOf(card.url)
  // Version 0.3 has its main endpoint at the top. One that ends in `.json` is a card's own address, as ours is.
  const main = url && isHttpUrl(url) && !url.endsWith('.json') ? [url] : []
  return [
    ...main.map(one => toInterface(one, textOf(card.preferredTransport) ?? 'JSONRPC', version)),
    ...listed,
  ]
}

const toInterface = (url: string, protocolBinding: string, version = PROTOCOL_VERSION): Interface => ({
  url,
  protocolBinding,
  protocolVersion: version,
  transport: protocolBinding,
})

function skillsOf({ registration, endpointCard, name, description }: CardSource): Skill[] {
  const offered = registration.services.filter(isA2a).flatMap(({ skills }) => skills)
  const listed = Array.isArray(endpointCard?.skills) ? endpointCard.skills : []
  const skills = [...offered, ...listed].flatMap(toSkill)
  const byId = new Map(skills.map(skill => [skill.id, skill]))
  if (byId.size > 0) return [...byId.values()].slice(0, SKILLS_MAX)
  // A card without a skill is read by nobody; what the agent says of itself is the least it can do.
  return [{ id: 'agent', name, description: description || name, tags: ['agent'] }]
}

/** Whatever a skill lacks is made of what it has. */
function toSkill(skill: unknown): Skill[] {
  if (!isObject(skill)) return []
  const id = textOf(skill.id) ?? textOf(skill.name)
  if (!id) return []
  const name = textOf(skill.name) ?? id
  const tags = Array.isArray(skill.tags) ? skill.tags.flatMap(tag => textOf(tag) ?? []) : []
  return [{ id, name, description: textOf(skill.description) ?? name, tags: tags.length > 0 ? tags : [id] }]
}

function providerOf(card: CardSource['endpointCard']): AgentCard['provider'] {
  if (!isObject(card?.provider)) return undefined
  const organization = textOf(card.provider.organization)
  const url = textOf(card.provider.url)
  return organization && url && isHttpUrl(url) ? { organization, url } : undefined
}

function modesOf(modes: unknown): string[] {
  const named = Array.isArray(modes) ? modes.flatMap(mode => textOf(mode) ?? []) : []
  return named.length > 0 ? named : ['text/plain']
}

const isA2a = ({ name, endpoint }: RegistrationService) => /^a2a$/i.test(name) && isHttpUrl(endpoint)
const isCardUrl = ({ endpoint }: RegistrationService) => new URL(endpoint).pathname.endsWith('.json')
const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
