import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { findAgentSpotlight, setAgentHidden, setAgentSpotlight } from '../store/curated-agents.ts'
import type { Database } from '../store/database.ts'
import { assertAddress, parseArguments, printable, usageError } from './arguments.ts'
import { auditedChange } from './audited-change.ts'
import { inspectAgent } from './inspect-agent.ts'
import { withStore } from './open-store.ts'

const ACTIONS = ['hide', 'show', 'spotlight', 'inspect'] as const

/** Hides, shows, picks or inspects agents. No HTTP request can do this. */
export async function agent(args: string[], config: Config): Promise<void> {
  const { positionals, network } = parseArguments(args)
  const [name, ...rest] = positionals
  const action = ACTIONS.find(known => known === name)
  if (!action) throw usageError(`agent needs one of ${ACTIONS.join(', ')}`)
  if (action === 'spotlight') return spotlight(rest, network, config)
  const addresses = parseAddresses(rest, action)
  await withStore(config, async ({ database }) => {
    if (action !== 'inspect') return hide(database, network, addresses, action === 'hide')
    if (addresses.length > 1) throw usageError('agent inspect takes one address')
    await inspectAgent(config, database, network, addresses[0] as Address)
  })
}

async function hide(database: Database, network: Network, addresses: Address[], isHidden: boolean) {
  await changeEach(database, network, addresses, {
    command: `agent ${isHidden ? 'hide' : 'show'}`,
    change: (tx, address) => setAgentHidden(tx, network, address, isHidden),
    done: address => `${address} on ${network} is ${isHidden ? 'hidden' : 'shown'}`,
  })
}

async function spotlight([action, ...texts]: string[], network: Network, config: Config): Promise<void> {
  if (action === 'list' && texts.length === 0) return withStore(config, ({ database }) => list(database))
  if (action !== 'add' && action !== 'remove')
    throw usageError('agent spotlight needs one of list, add, remove')
  const addresses = parseAddresses(texts, `spotlight ${action}`)
  const isAdded = action === 'add'
  await withStore(config, ({ database }) =>
    changeEach(database, network, addresses, {
      command: `agent spotlight ${action}`,
      change: (tx, address) => setAgentSpotlight(tx, network, address, isAdded),
      done: address => `${address} is ${isAdded ? 'in' : 'not in'} the spotlight of ${network}`,
    }),
  )
}

async function list(database: Database): Promise<void> {
  const agents = await findAgentSpotlight(database)
  for (const { network, address, name } of agents)
    process.stdout.write(`${network.padEnd(13)}  ${address.padEnd(44)}  ${printable(name)}\n`)
  if (agents.length === 0) process.stdout.write('The spotlight is empty.\n')
}

function parseAddresses(texts: readonly string[], action: string): Address[] {
  if (texts.length === 0) throw usageError(`agent ${action} needs the address of an agent`)
  return texts.map(text => assertAddress(text, 'agent address'))
}

/** Changes what it can, and then reports the addresses at which there is no agent. */
async function changeEach(
  database: Database,
  network: Network,
  addresses: readonly Address[],
  {
    command,
    change,
    done,
  }: {
    command: string
    change(tx: Database, address: Address): Promise<boolean>
    done(address: Address): string
  },
): Promise<void> {
  const unknown: Address[] = []
  for (const address of addresses) {
    const isChanged = await auditedChange(database, { command, network, subject: address }, tx =>
      change(tx, address),
    )
    if (isChanged) process.stdout.write(`${done(address)}\n`)
    else unknown.push(address)
  }
  if (unknown.length > 0)
    throw new OperatorError(`No agent is stored on ${network} at ${unknown.join(', ')}.`)
}
