import type { AgentCard } from '@slipway/schema/agent'
import { cleanName, cleanText } from '@slipway/schema/clean-text'
import type {
  RegistrationDocument,
  RegistrationService,
  RegistrationSkill,
} from '../metadata/formats/registration-document.ts'
import { type EndpointCard, isHttpUrl, PROTOCOL_VERSION, toInterface } from './endpoint-card.ts'

interface CardSource {
  /** The public URL of the card itself. */
  url: string
  name: string
  description: string
  image: string | undefined
  registration: RegistrationDocument
  /** The card at the A2A endpoint of the registration, if that is a card. */
  endpointCard: EndpointCard | undefined
}

type Interface = NonNullable<AgentCard['supportedInterfaces']>[number]
type Skill = AgentCard['skills'][number]

const INTERFACES_MAX = 16
const SKILLS_MAX = 64

/**
 * Builds a card from a registration document. The same source gives the same card. Clients of A2A 0.3 read
 * `protocolVersion` and `additionalInterfaces`, clients of 1.0 read `supportedInterfaces`.
 */
export function synthesiseCard(source: CardSource): AgentCard {
  const { registration, endpointCard, image } = source
  const { provider } = endpointCard ?? {}
  const organization = cleanName(provider?.organization)
  const interfaces = interfacesOf(registration, endpointCard)
  return {
    name: source.name,
    description: source.description || source.name,
    url: source.url,
    version: endpointCard?.version ?? '1.0.0',
    protocolVersion: interfaces[0]?.protocolVersion ?? PROTOCOL_VERSION,
    ...(interfaces.length > 0 && { supportedInterfaces: interfaces, additionalInterfaces: interfaces }),
    ...(image !== undefined && { iconUrl: image }),
    ...(provider && organization && { provider: { ...provider, organization } }),
    capabilities: { streaming: endpointCard?.streaming ?? false },
    skills: skillsOf(source),
    defaultInputModes: modesOf(endpointCard?.inputModes),
    defaultOutputModes: modesOf(endpointCard?.outputModes),
  }
}

/** Finds the A2A endpoint that is itself a card. It must be fetched before a card is synthesised. */
export function findCardEndpoint({ services }: RegistrationDocument): string | undefined {
  return services.filter(isA2a).find(isCardUrl)?.endpoint
}

function interfacesOf(
  { services }: RegistrationDocument,
  endpointCard: CardSource['endpointCard'],
): Interface[] {
  const named = services
    .filter(isA2a)
    .flatMap(service =>
      isCardUrl(service)
        ? (endpointCard?.interfaces ?? [])
        : [toInterface(service.endpoint, 'JSONRPC', service.version)],
    )
  const byUrl = new Map(named.map(one => [`${one.protocolBinding} ${one.url}`, one]))
  return [...byUrl.values()].slice(0, INTERFACES_MAX)
}

function skillsOf({ registration, endpointCard, name, description }: CardSource): Skill[] {
  const offered = registration.services.filter(isA2a).flatMap(({ skills }) => skills)
  const skills = [...offered, ...(endpointCard?.skills ?? [])].flatMap(skill => toSkill(skill) ?? [])
  const byId = new Map(skills.map(skill => [skill.id, skill]))
  if (byId.size > 0) return [...byId.values()].slice(0, SKILLS_MAX)
  // Clients reject a card without skills, so the agent itself becomes one.
  return [{ id: 'agent', name, description: description || name, tags: ['agent'] }]
}

/** Missing fields are filled from the others. Cleaned again, because an older version may have stored this. */
function toSkill(skill: RegistrationSkill): Skill | undefined {
  const id = cleanName(skill.id)
  if (id === undefined) return undefined
  const name = cleanName(skill.name) ?? id
  const tags = skill.tags.flatMap(tag => cleanName(tag) ?? [])
  return { id, name, description: cleanText(skill.description) ?? name, tags: tags.length > 0 ? tags : [id] }
}

const modesOf = (modes: string[] = []) => (modes.length > 0 ? modes : ['text/plain'])

const isA2a = ({ name, endpoint }: RegistrationService) => /^a2a$/i.test(name) && isHttpUrl(endpoint)
const isCardUrl = ({ endpoint }: RegistrationService) => new URL(endpoint).pathname.endsWith('.json')
