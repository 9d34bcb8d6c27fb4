import { loadChains } from '../../boot/load-chains.ts'
import { WORKER_VARIABLE } from '../../boot/worker-variable.ts'
import { embedsChains } from '../../config.ts'
import { CHANGE, type CommandDefinition } from './command-definition.ts'

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
      return (await import('../serve.ts')).serve(context, chainsThread)
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
    run: async context => (await import('../mcp.ts')).serveMcp(context),
  },
  {
    name: 'doctor',
    summary: 'Check the configuration and everything that a node depends on',
    effect: 'Changes nothing. Exits with 1 if a check fails, and says what to do about it.',
    network: 'none',
    isChange: false,
    example: '',
    json: ['checks'],
    run: async context => (await import('../doctor/doctor.ts')).doctor(context),
  },
  {
    name: 'migrate',
    summary: 'Update the database to this version',
    effect: 'Changes the tables of the store. Older versions then no longer start on it.',
    network: 'both',
    isChange: true,
    example: '',
    json: ['store', 'networks', 'migrations'],
    run: async context => (await import('../migrate.ts')).migrateCommand(context),
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
    run: async context => (await import('../index-chain.ts')).indexChain(context),
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
    run: async context => (await import('../backup/backup.ts')).backup(context),
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
    run: async context => (await import('../backup/restore.ts')).restore(context),
  },
  {
    name: 'cluster show',
    summary: 'Show the genesis hash of each network',
    effect: 'Changes nothing.',
    network: 'both',
    isChange: false,
    example: '',
    json: ['store', 'networks', 'clusters'],
    run: async context => (await import('../cluster.ts')).showClusters(context),
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
    run: async context => (await import('../cluster.ts')).acceptCluster(context),
  },
  {
    name: 'version',
    summary: 'Print the version, the commit and the version of Node',
    effect: 'Changes nothing.',
    network: 'none',
    isChange: false,
    example: '--json',
    json: ['version', 'commit', 'node'],
    run: async context => (await import('../version.ts')).showVersion(context),
  },
]
