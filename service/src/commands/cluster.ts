import { NETWORKS, type Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { findGenesisHash, replaceCluster } from '../store/clusters.ts'
import type { Database } from '../store/database.ts'
import { assertAddress, parseArguments, usageError } from './arguments.ts'
import { auditedChange } from './audited-change.ts'
import { withStore } from './open-store.ts'
import { assertLease } from './try-lease.ts'

/** Shows the cluster that each network belongs to, or moves a network to another one. */
export async function cluster(args: string[], config: Config): Promise<void> {
  const { positionals, network, flags } = parseArguments(args, ['keep-data'])
  const [action, from, to, ...rest] = positionals
  if (action === 'show' && from === undefined) return withStore(config, ({ database }) => show(database))
  if (action !== 'accept' || rest.length > 0)
    throw usageError('cluster needs "show" or "accept <old hash> <new hash>"')
  // A genesis hash has the form of an address.
  const hashes = {
    from: assertAddress(from, 'old genesis hash'),
    to: assertAddress(to, 'new genesis hash'),
    keepsData: flags.has('keep-data'),
  }
  if (hashes.from === hashes.to)
    throw new OperatorError('Both hashes are the same, so there is nothing to accept.')
  await withStore(config, async ({ database, connection }) => {
    // A service that still follows the old cluster would write its accounts again.
    const lease = await assertLease(database, connection, network)
    await accept(database, network, hashes).finally(lease.release)
  })
}

async function show(database: Database): Promise<void> {
  for (const network of NETWORKS) {
    const hash = await findGenesisHash(database, network)
    process.stdout.write(`${network.padEnd(14)} ${hash ?? 'no cluster yet'}\n`)
  }
}

async function accept(
  database: Database,
  network: Network,
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
  const counts = Object.entries(deleted)
    .filter(([what, count]) => count > 0 && what !== 'progress')
    .map(([what, count]) => `${count} ${what}`)
  process.stdout.write(
    `${network} now belongs to the cluster ${hashes.to}. Deleted from the store: ${counts.join(', ') || 'nothing'}.\n`,
  )
}
