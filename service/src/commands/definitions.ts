import { loadChains } from '../boot/load-chains.ts'
import { WORKER_VARIABLE } from '../boot/worker-pool.ts'
import { embedsChains } from '../config.ts'
import type { CommandContext } from './command-context.ts'
import type { Mark, Noun } from './curate.ts'

/** One command of the command line. `docs/command-line.md` lists the same ones. */
export interface CommandDefinition {
  /** The words after `slipway`. */
  name: string
  /** Another last word that works too, as in earlier versions. */
  alias?: string
  summary: string
  /** What it changes, as a sentence. */
  effect: string
  /** The name of each argument, as in `<address...>`, and what it is. */
  operands?: Readonly<Record<string, string>>
  /** The name of each option without a value, and what it does. */
  flags?: Readonly<Record<string, string>>
  /** The same for options with a value, as in `url <url>`. */
  values?: Readonly<Record<string, string>>
  /** What `--network` selects. With `both`, the command has no such option and works on both networks. */
  network: 'one' | 'filter' | 'both' | 'none'
  /** Whether the command changes the store, so that the operator must mean the store that it finds. */
  isChange: boolean
  /** What follows the name in the example. */
  example: string
  /** The fields of the object that `--json` prints, if there is such an option. */
  json?: readonly string[]
  /** Returns the exit code if it is not 0. */
  run(context: CommandContext): Promise<number> | Promise<void>
}

export const CHANGE = { network: 'one', isChange: true } as const
export const READ = { network: 'one', isChange: false } as const
/** Reads both networks, or the one that `--network` names. */
export const READ_BOTH = { network: 'filter', isChange: false } as const

/** The JSON of a command that changes something at each address. */
export const CHANGED = ['store', 'network', 'addresses', 'unchanged', 'unknown'] as const

const OLD_HASH = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const NEW_HASH = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY'

/** Commands about the service and its store. */
export const SERVICE_COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'serve',
    summary: 'Run the service',
    effect: 'Updates the database to this version, then indexes the chains and answers requests.',
    network: 'none',
    isChange: false,
    example: '',
    async run(context) {
      const isWorker = context.host.env[WORKER_VARIABLE] !== undefined
      const chainsThread = !isWorker && embedsChains(context.config) ? loadChains() : undefined
      return (await import('./serve.ts')).serve(context, chainsThread)
    },
  },
  {
    name: 'mcp',
    summary: 'Connect an assistant on this machine to a deployment (MCP)',
    effect:
      'Speaks MCP on standard input and output until the input ends, and passes every message on to the deployment.',
    values: { 'url <url>': 'PUBLIC_URL of the deployment (default: the service on this machine)' },
    network: 'none',
    isChange: false,
    example: '--url https://slipway.example',
    run: async context => (await import('./mcp.ts')).serveMcp(context),
  },
  {
    name: 'doctor',
    summary: 'Check the configuration and everything that a node depends on',
    effect: 'Changes nothing. Exits with 1 if a check fails, and says what to do about it.',
    network: 'none',
    isChange: false,
    example: '',
    json: ['checks'],
    run: async context => (await import('./doctor/doctor.ts')).doctor(context),
  },
  {
    name: 'migrate',
    summary: 'Update the database to this version',
    effect: 'Changes the tables of the store. Older versions then no longer start on it.',
    network: 'both',
    isChange: true,
    example: '',
    json: ['store', 'networks', 'migrations'],
    run: async context => (await import('./open-store.ts')).migrateCommand(context),
  },
  {
    name: 'index-chain',
    summary: 'Read a chain into the store without serving',
    effect: 'Writes the agents, launches and buckets of the chain to the store.',
    flags: {
      'from-scratch': 'read everything again',
      'accept-removals': 'remove missing accounts, however many there are',
    },
    ...CHANGE,
    example: '--network chain-mainnet',
    json: ['store', 'network', 'rpc', 'accounts', 'slot', 'indexedElsewhere'],
    run: async context => (await import('./index-chain.ts')).indexChain(context),
  },
  {
    name: 'backup',
    summary: 'Write the embedded store, chains and keys to a file, also while they are in use',
    effect: 'Creates the file, which only its owner can read. Changes nothing else.',
    operands: { '<backup-file>': 'path of the new file' },
    network: 'none',
    isChange: false,
    example: 'slipway.backup',
    json: ['store', 'networks', 'file', 'rows', 'files', 'bytes'],
    run: async context => (await import('./backup/backup.ts')).backup(context),
  },
  {
    name: 'restore',
    summary: 'Put a backup into an empty DATA_DIR',
    effect: 'Fills DATA_DIR. If anything is wrong with the file, nothing is changed.',
    operands: { '<backup-file>': 'path of a file that backup has written' },
    flags: { replace: 'move what DATA_DIR has aside first' },
    network: 'none',
    isChange: false,
    example: 'slipway.backup',
    json: ['folder', 'replaced', 'rows', 'files'],
    run: async context => (await import('./backup/restore.ts')).restore(context),
  },
  {
    name: 'cluster show',
    summary: 'Show the genesis hash of each network',
    effect: 'Changes nothing.',
    network: 'both',
    isChange: false,
    example: '',
    json: ['store', 'networks', 'clusters'],
    run: async context => (await import('./cluster.ts')).showClusters(context),
  },
  {
    name: 'cluster accept',
    summary: 'Move a network to another cluster',
    effect: 'Deletes everything that is stored for the network. Stop the service first.',
    operands: { '<old-hash>': 'recorded genesis hash', '<new-hash>': 'genesis hash of the new cluster' },
    flags: { 'keep-data': 'change only the recorded hash' },
    ...CHANGE,
    example: `${OLD_HASH} ${NEW_HASH} --network chain-devnet`,
    json: ['store', 'network', 'genesisHash', 'deleted'],
    run: async context => (await import('./cluster.ts')).acceptCluster(context),
  },
  {
    name: 'version',
    summary: 'Print the version, the commit and the version of Node',
    effect: 'Changes nothing.',
    network: 'none',
    isChange: false,
    example: '--json',
    json: ['version', 'commit', 'node'],
    run: async context => (await import('./version.ts')).showVersion(context),
  },
]

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
    run: async context => (await import('./curate.ts')).markEach(context, { command: name, noun, ...to }),
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
      run: async context => (await import('./curate.ts')).listStored(context, noun),
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
      run: async context => (await import('./curate.ts')).listSpotlight(context, noun),
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
    run: async context => (await import('./inspect.ts')).refreshStoredLaunch(context),
  },
  {
    name: 'launch inspect',
    summary: 'Compare what store, chain and document say about a launch',
    effect: 'Changes nothing.',
    operands: LAUNCH,
    ...READ,
    example: LAUNCH_ADDRESS,
    json: ['store', 'network', 'rpc', 'address', 'stored', 'chain', 'document', 'fields', 'buckets'],
    run: async context => (await import('./inspect.ts')).inspectLaunch(context),
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
    run: async context => (await import('./inspect.ts')).inspectAgent(context),
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
    run: async context => (await import('./curate.ts')).verifyAgent(context),
  },
  {
    name: 'card put',
    summary: 'Host a card for an agent, byte for byte',
    effect: 'The card replaces the one that is built from the registration document.',
    operands: { ...AGENT, '<file>': 'the card as JSON; - reads standard input' },
    ...CHANGE,
    example: `${AGENT_ADDRESS} card.json`,
    json: ['store', 'network', 'address', 'bytes'],
    run: async context => (await import('./card.ts')).putCard(context),
  },
  {
    name: 'card remove',
    summary: 'Remove a hosted card',
    effect: 'The card that is built from the registration document is served again.',
    operands: AGENT,
    ...CHANGE,
    example: AGENT_ADDRESS,
    json: ['store', 'network', 'address', 'removed'],
    run: async context => (await import('./card.ts')).removeCard(context),
  },
  {
    name: 'card verify',
    summary: 'Check the signature of a served card as a client does',
    effect: 'Changes nothing. Asks the service at PUBLIC_URL, not the store.',
    operands: AGENT,
    ...READ,
    example: AGENT_ADDRESS,
    json: ['service', 'network', 'url', 'card', 'keys', 'signatures', 'covered', 'notCovered', 'isValid'],
    run: async context => (await import('./card.ts')).verifyCard(context),
  },
]

const SHA256 = '3f6ac0de5b1d8a0f6c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f40516273'

const OTHER_COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'document remove',
    summary: 'Remove a hosted document and refuse it from now on',
    effect: 'Deletes the document, its card and the copies that agents have of them, on both networks.',
    operands: { '<sha256>': 'hash of the document in hexadecimal, or its URL' },
    network: 'both',
    isChange: true,
    example: SHA256,
    json: ['store', 'networks', 'sha256', 'removed'],
    run: async context => (await import('./curate.ts')).removeHostedDocument(context),
  },
  {
    name: 'audit',
    summary: 'Print every change that was made with these commands',
    effect: 'Changes nothing. The list leaves out commands that had nothing to change.',
    ...READ_BOTH,
    example: '--network chain-mainnet',
    json: ['store', 'networks', 'entries'],
    run: async context => (await import('./audit.ts')).audit(context),
  },
]

/** Every command, in the order of the help. */
export const COMMANDS = [...SERVICE_COMMANDS, ...CURATION_COMMANDS, ...OTHER_COMMANDS]

/** Commands that have others below them. */
export const GROUPS: Readonly<Record<string, string>> = {
  cluster: 'Show or change the cluster that a network belongs to',
  spotlight: 'List, add and remove launches in the spotlight',
  launch: 'List, hide, unhide, correct and inspect launches',
  agent: 'List, hide, unhide, spotlight and inspect agents',
  'agent spotlight': 'List, add and remove agents in the spotlight',
  card: 'Host, remove and verify agent cards',
  document: 'Remove hosted documents',
}
