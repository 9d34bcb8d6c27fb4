import type { Address } from '@slipway/schema/address'
import { DEFAULT_NETWORK, NETWORKS, type Network } from '@slipway/schema/network'
import { OperatorError } from '../operator-error.ts'
import { findAgent, setVerified } from '../store/agents.ts'
import { type CurationOutcome, setAgentHidden, setAgentSpotlight } from '../store/curated-agents.ts'
import type { Database } from '../store/database.ts'
import { removeDocument } from '../store/hosted-documents.ts'
import { setHidden, setSpotlight } from '../store/launches.ts'
import { type LaunchLine, type ListAll, listAllAgents, listAllLaunches } from '../store/list-all.ts'
import { auditedChange } from './audit.ts'
import { type CommandContext, parseAddress, UsageError } from './command-context.ts'
import { withStore } from './open-store.ts'

const LIMIT = 50
const LIMIT_MAX = 100_000

export type Noun = 'launch' | 'agent'
export type Mark = 'hidden' | 'spotlight'

type SetMark = (
  database: Database,
  network: Network,
  address: Address,
  isSet: boolean,
) => Promise<CurationOutcome>

const NOUNS: Record<Noun, { operand: string; missing: string; set: Record<Mark, SetMark> }> = {
  launch: {
    operand: 'genesis address',
    missing: 'launch is registered',
    set: { hidden: setHidden, spotlight: setSpotlight },
  },
  agent: {
    operand: 'agent address',
    missing: 'agent is stored',
    set: { hidden: setAgentHidden, spotlight: setAgentSpotlight },
  },
}

/** Completes the sentence "<address> …". */
const DONE: Record<Mark, (network: Network, isSet: boolean) => string> = {
  hidden: (network, isSet) => `on ${network} is ${isSet ? 'hidden' : 'not hidden'}`,
  spotlight: (network, isSet) => `is ${isSet ? 'in' : 'not in'} the spotlight of ${network}`,
}

/**
 * Sets or clears a mark at each address that the command names, and then reports the addresses where there is nothing.
 * No HTTP request can do this.
 */
export async function markEach(
  context: CommandContext,
  { command, noun, mark, isSet }: { command: string; noun: Noun; mark: Mark; isSet: boolean },
): Promise<void> {
  const { network, output } = context
  const { operand, missing, set } = NOUNS[noun]
  const given = context.operands.map(text => parseAddress(text, operand))
  await withStore(context, 'change', async ({ database }) => {
    const addresses: Address[] = []
    const unchanged: Address[] = []
    const unknown: Address[] = []
    for (const address of given) {
      const outcome = await auditedChange(
        database,
        { command, network, subject: address },
        tx => set[mark](tx, network, address, isSet),
        result => result === 'changed',
      )
      if (outcome === 'unchanged') unchanged.push(address)
      ;(outcome === 'missing' ? unknown : addresses).push(address)
      if (outcome !== 'missing')
        output.line(
          `${address} ${DONE[mark](network, isSet)}${outcome === 'unchanged' ? ' (unchanged)' : ''}`,
        )
    }
    output.json({ addresses, unchanged, unknown })
    if (unknown.length > 0) throw new OperatorError(`No ${missing} on ${network} at ${unknown.join(', ')}.`)
  })
}

/** Sets or clears `verifiedAt` of an agent, also before the agent is in the store. No HTTP request can do this. */
export async function verifyAgent(context: CommandContext): Promise<void> {
  const { network, output, operands, flags } = context
  const address = parseAddress(operands[0], NOUNS.agent.operand)
  await withStore(context, 'change', async ({ database }) => {
    const isVerified = !flags.has('clear')
    const command = isVerified ? 'verify-agent' : 'verify-agent --clear'
    await auditedChange(database, { command, network, subject: address }, tx =>
      setVerified(tx, network, address, isVerified),
    )
    const { verifiedAt, row } = await findAgent(database, network, address)
    output.json({ address, verifiedAt: verifiedAt ?? null, stored: row !== undefined })
    output.line(
      verifiedAt
        ? `${address} on ${network} has been verified since ${verifiedAt.toISOString()}`
        : `${address} on ${network} is not verified`,
    )
    if (verifiedAt && !row)
      output.line('The agent is not in the store yet; the first request for it will add it.')
  })
}

/** A list as JSON, and as a table. */
interface Listing {
  key: 'launches' | 'agents'
  entries: readonly object[]
  head: string[]
  rows: string[][]
}

const STORED: Record<Noun, (database: Database, selection: ListAll) => Promise<Listing>> = {
  async launch(database, selection) {
    const entries = (await listAllLaunches(database, selection)).map(launch => ({
      ...launch,
      status: statusOf(launch),
    }))
    return {
      key: 'launches',
      entries,
      head: ['NETWORK', 'GENESIS ADDRESS', 'REGISTERED', 'MECHANIC', 'STATUS', 'MARKS', 'TOKEN'],
      rows: entries.map(launch => [
        launch.network,
        launch.genesisAddress,
        formatTime(launch.registeredAt),
        launch.mechanic,
        launch.status,
        formatMarks({ spotlight: launch.spotlight, hidden: launch.hidden }),
        describe(launch),
      ]),
    }
  },
  async agent(database, selection) {
    const entries = await listAllAgents(database, selection)
    return {
      key: 'agents',
      entries,
      head: ['NETWORK', 'ADDRESS', 'REGISTERED', 'MARKS', 'NAME'],
      rows: entries.map(agent => [
        agent.network,
        agent.address,
        formatTime(agent.registeredAt),
        formatMarks({ verified: agent.verifiedAt, spotlight: agent.spotlightedAt, hidden: agent.hiddenAt }),
        agent.name,
      ]),
    }
  },
}

export const listSpotlight = (context: CommandContext, noun: Noun): Promise<void> =>
  printList(context, noun, { only: 'spotlight', limit: LIMIT_MAX, empty: 'The spotlight is empty.' })

export async function listStored(context: CommandContext, noun: Noun): Promise<void> {
  const { flags, values } = context
  const text = values.limit ?? `${LIMIT}`
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > LIMIT_MAX) throw new UsageError(`--limit must be a number from 1 to ${LIMIT_MAX}.`)
  await printList(context, noun, {
    only: flags.has('hidden') ? 'hidden' : undefined,
    limit,
    empty: 'There are none.',
  })
}

async function printList(
  context: CommandContext,
  noun: Noun,
  { empty, ...selection }: Omit<ListAll, 'networks'> & { empty: string },
): Promise<void> {
  const { output, onlyNetwork } = context
  const networks = onlyNetwork === undefined ? NETWORKS : [onlyNetwork]
  await withStore(context, 'read', async ({ database }) => {
    const { key, entries, head, rows } = await STORED[noun](database, { networks, ...selection })
    output.json({ [key]: entries })
    if (rows.length === 0) output.line(empty)
    else output.table(head, rows)
  })
}

const statusOf = ({ startsAt, graduatedAt }: LaunchLine): 'upcoming' | 'live' | 'graduated' =>
  graduatedAt ? 'graduated' : startsAt.getTime() > Date.now() ? 'upcoming' : 'live'

const describe = ({ name, symbol }: { name: string; symbol: string }) => `${name} (${symbol})`

const formatTime = (time: Date) => time.toISOString().slice(0, 16).replace('T', ' ')

const formatMarks = (marks: Record<string, unknown>) =>
  Object.keys(marks)
    .filter(name => marks[name])
    .join(',') || '-'

/** Removes a hosted document, on both networks. */
export async function removeHostedDocument(context: CommandContext): Promise<void> {
  // Operators often have the URL or the file name.
  const sha256 = /^(?:.*\/)?([\da-f]{64})(?:\.json)?$/.exec(context.operands[0] ?? '')?.[1]
  if (sha256 === undefined)
    throw new UsageError('document remove needs the SHA-256 of a document in hexadecimal, or its URL.')
  await withStore(context, 'change', async ({ database }) => {
    const change = { command: 'document remove', network: DEFAULT_NETWORK, subject: sha256 }
    if (!(await auditedChange(database, change, tx => removeDocument(tx, sha256))))
      throw new OperatorError(`No document with the hash ${sha256} is hosted here.`)
    context.output.line(`Removed the document ${sha256}`)
    context.output.json({ sha256, removed: true })
  })
}
