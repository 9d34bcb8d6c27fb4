import { NETWORKS } from '@slipway/schema/network'
import { OperatorError } from '../operator-error.ts'
import { findGenesisHash, replaceCluster } from '../store/clusters.ts'
import type { Database } from '../store/database.ts'
import { auditedChange } from './audited-change.ts'
import { type CommandContext, parseAddress, UsageError } from './command-context.ts'
import { withStore } from './open-store.ts'
import { assertLease } from './try-lease.ts'

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
