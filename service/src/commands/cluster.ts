import { NETWORKS, type Network } from '@slipway/schema/network'
import { OperatorError } from '../operator-error.ts'
import { countServingNodes } from '../store/changes.ts'
import { findGenesisHash, replaceCluster } from '../store/clusters.ts'
import type { ConnectionOptions, Database } from '../store/database.ts'
import { explainStoreFault, reasonOf } from '../store/errors.ts'
import { type IndexLease, takeIndexLease } from '../store/index-lease.ts'
import { auditedChange } from './audit.ts'
import { type CommandContext, parseAddress, UsageError } from './command-context.ts'
import { withStore } from './open-store.ts'

/** Shows the cluster that each network belongs to. */
export async function showClusters(context: CommandContext): Promise<void> {
  const { output } = context
  await withStore(context, 'read', async ({ database }) => {
    const clusters = await Promise.all(
      NETWORKS.map(async network => ({
        network,
        genesisHash: (await findGenesisHash(database, network)) ?? null,
      })),
    )
    output.json({ clusters })
    output.table(
      ['NETWORK', 'GENESIS HASH'],
      clusters.map(({ network, genesisHash }) => [network, genesisHash ?? 'no cluster yet']),
    )
  })
}

/** Moves a network to another cluster. */
export async function acceptCluster(context: CommandContext): Promise<void> {
  const { network, operands, flags } = context
  // A genesis hash has the form of an address.
  const hashes = {
    from: parseAddress(operands[0], 'old genesis hash'),
    to: parseAddress(operands[1], 'new genesis hash'),
    keepsData: flags.has('keep-data'),
  }
  if (hashes.from === hashes.to)
    throw new UsageError('Both hashes are the same, so there is nothing to accept.')
  await withStore(context, 'change', async ({ database, connection }) => {
    // A service that still follows the old cluster would write its accounts again.
    const lease = await assertLease(database, connection, network)
    await accept(context, database, hashes).finally(lease.release)
  })
}

async function accept(
  { network, output }: CommandContext,
  database: Database,
  hashes: { from: string; to: string; keepsData: boolean },
) {
  const deleted = await auditedChange(
    database,
    {
      command: hashes.keepsData ? 'cluster accept --keep-data' : 'cluster accept',
      network,
      subject: `${hashes.from} ${hashes.to}`,
    },
    tx => replaceCluster(tx, network, hashes),
    result => result !== undefined,
  )
  if (!deleted) {
    const known = await findGenesisHash(database, network)
    throw new OperatorError(
      known
        ? `${network} belongs to the cluster ${known}, not ${hashes.from}. Nothing was changed. Give that hash as the old one.`
        : `${network} belongs to no cluster yet, so there is nothing to replace. Start the service with the new RPC.`,
    )
  }
  const { progress: _, ...counts } = deleted
  const texts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
  output.line(
    `${network} now belongs to the cluster ${hashes.to}. Deleted from the store: ${texts.join(', ') || 'nothing'}.`,
  )
  output.json({ genesisHash: hashes.to, deleted: counts })
}

/** Takes a network's index lease if it is free; undefined if another process holds it. */
export async function tryLease(
  connection: ConnectionOptions,
  network: Network,
): Promise<IndexLease | undefined> {
  const stop = new AbortController()
  let fault: Error | undefined
  const lease = await takeIndexLease(connection, network, {
    signal: stop.signal,
    onWaiting: () => stop.abort(),
    observer: {
      onQuery: () => {},
      onConnectionLost(error) {
        fault = error
        stop.abort()
      },
    },
  })
  if (!lease && fault)
    throw new OperatorError(
      `The index can't be locked: ${reasonOf(fault)}. ${explainStoreFault(fault).remedy}`,
      {
        cause: fault,
      },
    )
  return lease
}

/** Like `tryLease`, for commands that must not run beside a service, because it would write again what they delete. */
export async function assertLease(
  database: Database,
  connection: ConnectionOptions,
  network: Network,
): Promise<IndexLease> {
  const lease = await tryLease(connection, network)
  if (!lease) throw new OperatorError(`Another process is indexing ${network}. Stop it and try again.`)
  const nodes = await countServingNodes(database)
  if (nodes === 0) return lease
  await lease.release()
  throw new OperatorError(`${nodes} running service(s) use this database. Stop them and try again.`)
}
