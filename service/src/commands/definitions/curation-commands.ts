import type { Mark, Noun } from '../curate.ts'
import { CHANGE, CHANGED, type CommandDefinition, READ, READ_BOTH } from './command-definition.ts'

const LAUNCH_ADDRESS = '8pMnqTkQTKzcRkLB1dHbvN4hHX7hBvVbZtJ6yTCkBhUo'
const AGENT_ADDRESS = 'HyAFGSs3obTmJyHSmgc6RtDLtM4ddNsEWDTDtTPyF8oZ'
const LAUNCH = { '<genesis-address>': 'genesis address of the launch' }
const AGENT = { '<address>': 'address of the agent' }

interface Nouns {
  noun: Noun
  plural: 'launches' | 'agents'
  operands: CommandDefinition['operands']
  example: string
  /** The words before `list`, `add` and `remove`. */
  spotlight: string
  newest: string
  hiding: string
  showing: string
}

const LAUNCHES: Nouns = {
  noun: 'launch',
  plural: 'launches',
  operands: { '<genesis-address...>': 'genesis addresses of launches' },
  example: LAUNCH_ADDRESS,
  spotlight: 'spotlight',
  newest: 'The launches that were registered last come first.',
  hiding: 'The launches disappear from every response, including those about their agents.',
  showing: 'The launches appear in responses again.',
}

const AGENTS: Nouns = {
  noun: 'agent',
  plural: 'agents',
  operands: { '<address...>': 'addresses of agents' },
  example: AGENT_ADDRESS,
  spotlight: 'agent spotlight',
  newest: 'The newest agents come first.',
  hiding: 'The agents disappear from the list; requests for them and their cards return 404.',
  showing: 'The agents and their cards appear in responses again.',
}

/** What an operator can do to launches and to agents. */
function listAndMark(about: Nouns): CommandDefinition[] {
  const { noun, plural, operands, example, spotlight } = about
  const Plural = plural === 'launches' ? 'Launches' : 'Agents'
  const mark = (
    name: string,
    to: { mark: Mark; isSet: boolean },
    texts: Pick<CommandDefinition, 'summary' | 'effect' | 'alias'>,
  ): CommandDefinition => ({
    name,
    ...texts,
    ...(operands && { operands }),
    ...CHANGE,
    example,
    json: CHANGED,
    run: async context => (await import('../curate.ts')).markEach(context, { command: name, noun, ...to }),
  })
  return [
    {
      name: `${noun} list`,
      summary: `List the ${plural} in the store, hidden ones included`,
      effect: `Changes nothing. ${about.newest}`,
      flags: { hidden: `list only hidden ${plural}` },
      values: { 'limit <count>': 'list at most this many (default: 50)' },
      ...READ_BOTH,
      example: '--hidden --limit 10',
      json: ['store', 'networks', plural],
      run: async context => (await import('../curate.ts')).listStored(context, noun),
    },
    mark(
      `${noun} hide`,
      { mark: 'hidden', isSet: true },
      { summary: `Hide ${plural} from all responses`, effect: about.hiding },
    ),
    mark(
      `${noun} unhide`,
      { mark: 'hidden', isSet: false },
      { alias: 'show', summary: `Show hidden ${plural} in responses again`, effect: about.showing },
    ),
    {
      name: `${spotlight} list`,
      summary: `List the ${plural} in the spotlight`,
      effect: 'Changes nothing.',
      ...READ_BOTH,
      example: '',
      json: ['store', 'networks', plural],
      run: async context => (await import('../curate.ts')).listSpotlight(context, noun),
    },
    mark(
      `${spotlight} add`,
      { mark: 'spotlight', isSet: true },
      {
        summary: `Add ${plural} to the spotlight`,
        effect: `${Plural} appear in responses with spotlight=true, on all nodes, within a second.`,
      },
    ),
    mark(
      `${spotlight} remove`,
      { mark: 'spotlight', isSet: false },
      {
        summary: `Remove ${plural} from the spotlight`,
        effect: `${Plural} disappear from responses with spotlight=true, on all nodes, within a second.`,
      },
    ),
  ]
}

/** Commands about launches, agents and their cards. */
export const CURATION_COMMANDS: readonly CommandDefinition[] = [
  ...listAndMark(LAUNCHES),
  {
    name: 'launch refresh',
    summary: 'Correct a launch from the chain and its document',
    effect: 'Corrects times, mechanic, status, name, image and description in the store.',
    operands: LAUNCH,
    ...CHANGE,
    example: LAUNCH_ADDRESS,
    json: ['store', 'network', 'rpc', 'address', 'outcome'],
    run: async context => (await import('../refresh-launch.ts')).refreshStoredLaunch(context),
  },
  {
    name: 'launch inspect',
    summary: 'Compare what store, chain and document say about a launch',
    effect: 'Changes nothing.',
    operands: LAUNCH,
    ...READ,
    example: LAUNCH_ADDRESS,
    json: ['store', 'network', 'rpc', 'address', 'stored', 'chain', 'document', 'fields', 'buckets'],
    run: async context => (await import('../inspect-launch.ts')).inspectLaunch(context),
  },
  ...listAndMark(AGENTS),
  {
    name: 'agent inspect',
    summary: 'Compare what store, chain and document say about an agent',
    effect:
      'Changes nothing. In the result, identityVersion is the version of the account that registers the agent (1 or 2).',
    operands: AGENT,
    ...READ,
    example: AGENT_ADDRESS,
    json: [
      ...['store', 'network', 'rpc', 'address', 'wallet', 'identity', 'chain', 'tokens'],
      ...['delegates', 'stored', 'fields'],
      ...['verifiedAt', 'hiddenAt', 'card', 'document', 'documentStored'],
    ],
    run: async context => (await import('../inspect-agent.ts')).inspectAgent(context),
  },
  {
    name: 'verify-agent',
    summary: 'Mark an agent as verified (--clear undoes it)',
    effect: 'Sets verifiedAt of the agent, or clears it.',
    operands: AGENT,
    flags: { clear: 'mark it as not verified' },
    ...CHANGE,
    example: AGENT_ADDRESS,
    json: ['store', 'network', 'address', 'verifiedAt', 'stored'],
    run: async context => (await import('../curate.ts')).verifyAgent(context),
  },
  {
    name: 'card put',
    summary: 'Host a card for an agent, byte for byte',
    effect: 'The card replaces the one that is built from the registration document.',
    operands: { ...AGENT, '<file>': 'the card as JSON; - reads standard input' },
    ...CHANGE,
    example: `${AGENT_ADDRESS} card.json`,
    json: ['store', 'network', 'address', 'bytes'],
    run: async context => (await import('../card.ts')).putCard(context),
  },
  {
    name: 'card remove',
    summary: 'Remove a hosted card',
    effect: 'The card that is built from the registration document is served again.',
    operands: AGENT,
    ...CHANGE,
    example: AGENT_ADDRESS,
    json: ['store', 'network', 'address', 'removed'],
    run: async context => (await import('../card.ts')).removeCard(context),
  },
  {
    name: 'card verify',
    summary: 'Check the signature of a served card as a client does',
    effect: 'Changes nothing. Asks the service at PUBLIC_URL, not the store.',
    operands: AGENT,
    ...READ,
    example: AGENT_ADDRESS,
    json: ['service', 'network', 'url', 'card', 'keys', 'signatures', 'covered', 'notCovered', 'isValid'],
    run: async context => (await import('../verify-card.ts')).verifyCard(context),
  },
]
