import { type CommandDefinition, READ_BOTH } from './command-definition.ts'
import { CURATION_COMMANDS } from './curation-commands.ts'
import { SERVICE_COMMANDS } from './service-commands.ts'

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
    run: async context => (await import('../document.ts')).removeHostedDocument(context),
  },
  {
    name: 'audit',
    summary: 'Print every change that was made with these commands',
    effect: 'Changes nothing. The list leaves out commands that had nothing to change.',
    ...READ_BOTH,
    example: '--network chain-mainnet',
    json: ['store', 'networks', 'entries'],
    run: async context => (await import('../audit.ts')).audit(context),
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
