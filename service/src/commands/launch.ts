import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { type RefreshOutcome, refreshLaunch } from '../launches/registration/refresh-launch.ts'
import { OperatorError } from '../operator-error.ts'
import type { Database } from '../store/database.ts'
import { findLaunch, setHidden } from '../store/launches.ts'
import { assertAddress, parseArguments, usageError } from './arguments.ts'
import { auditedChange } from './audited-change.ts'
import { inspectLaunch } from './inspect-launch.ts'
import { withStore } from './open-store.ts'
import { withChain, withDocuments } from './with-chain.ts'

const ACTIONS = ['hide', 'show', 'refresh', 'inspect'] as const

/** Hides, shows, corrects or inspects registered launches. */
export async function launch(args: string[], config: Config): Promise<void> {
  const { positionals, network } = parseArguments(args)
  const [name, ...texts] = positionals
  const action = ACTIONS.find(known => known === name)
  if (!action) throw usageError(`launch needs one of ${ACTIONS.join(', ')}`)
  const addresses = texts.map(text => assertAddress(text, 'genesis address'))
  const [address] = addresses
  if (!address) throw usageError(`launch ${action} needs the genesis address of a launch`)
  if (addresses.length > 1 && (action === 'refresh' || action === 'inspect'))
    throw usageError(`launch ${action} takes one address`)
  await withStore(config, async ({ database }) => {
    if (action === 'inspect') await inspectLaunch(config, database, network, address)
    else if (action === 'refresh') await refresh(config, database, network, address)
    else await hide(database, network, addresses, action === 'hide')
  })
}

async function hide(
  database: Database,
  network: Network,
  addresses: readonly Address[],
  hidden: boolean,
): Promise<void> {
  const unknown: Address[] = []
  for (const address of addresses) {
    const change = { command: `launch ${hidden ? 'hide' : 'show'}`, network, subject: address }
    if (await auditedChange(database, change, tx => setHidden(tx, network, address, hidden)))
      process.stdout.write(`${address} on ${network} is ${hidden ? 'hidden' : 'shown'}\n`)
    else unknown.push(address)
  }
  if (unknown.length > 0) throw notRegistered(network, unknown.join(', '))
}

const OUTCOMES: Record<RefreshOutcome, string> = {
  corrected: 'now matches the chain and its document',
  'newer-is-stored': 'was not changed, because the store has a newer state than the RPC. Try again later.',
  'not-on-chain':
    'was not changed, because the chain has no launch with a named token there. Hide it if it is gone.',
}

async function refresh(config: Config, database: Database, network: Network, address: Address) {
  const record = await findLaunch(database, network, address)
  if (!record) throw notRegistered(network, address)
  const outcome = await withChain(config, database, network, chain =>
    withDocuments(config, documents =>
      auditedChange(
        database,
        { command: 'launch refresh', network, subject: address },
        tx => refreshLaunch({ database: tx, chain, documents, gateways: config.metadata }, record),
        result => result === 'corrected',
      ),
    ),
  )
  const text = `${address} on ${network} ${OUTCOMES[outcome]}`
  if (outcome !== 'corrected') throw new OperatorError(text)
  process.stdout.write(`${text}\n`)
}

const notRegistered = (network: Network, addresses: string) =>
  new OperatorError(`No launch is registered on ${network} at ${addresses}.`)
