import { NETWORKS, type Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { findGenesisHash, replaceCluster } from '../store/clusters.ts'
import type { Database } from '../store/database.ts'
import { assertAddress, readArguments } from './arguments.ts'
import { tryLease } from './try-lease.ts'
import { withStore } from './with-store.ts'

/** Shows which cluster stands behind each network's name, or gives the name to another one. */
export async function cluster(args: string[], config: Config): Promise<void> {
  const { positionals, network, flags } = readArguments(args, ['keep-data'])
  const [action, from, to, ...rest] = positionals
  if (action === 'show' && from === undefined) return withStore(config, show)
  if (action !== 'accept' || rest.length > 0)
    throw new OperatorError('cluster needs one of: show; accept <remembered hash> <new hash>')
  // A genesis hash has the form of an address.
  const hashes = {
    from: assertAddress(from, 'the remembered genesis hash'),
    to: assertAddress(to, 'the new genesis hash'),
    keepsData: flags.has('keep-data'),
  }
  if (hashes.from === hashes.to)
    throw new OperatorError('both hashes are the same: there is nothing to accept')
  await withStore(config, async (database, connection) => {
    // A service that still follows the former cluster would write its accounts again.
    const lease = await tryLease(connection, network)
    if (!lease) throw new OperatorError(`another process indexes ${network}: stop it first`)
    await accept(database, network, hashes).finally(lease.release)
  })
}

async function show(database: Database): Promise<void> {
  for (const network of NETWORKS) {
    const hash = await findGenesisHash(database, network)
    process.stdout.write(`${network.padEnd(14)} ${hash ?? 'no cluster seen yet'}\n`)
  }
}

async function accept(
  database: Database,
  network: Network,
  hashes: { from: string; to: string; keepsData: boolean },
) {
  const deleted = await replaceCluster(database, network, hashes)
  if (!deleted) {
    const known = (await findGenesisHash(database, network)) ?? 'none'
    throw new OperatorError(
      `the store remembers another genesis hash for ${network}: ${known}; nothing was changed`,
    )
  }
  const counts = Object.entries(deleted).flatMap(([what, count]) => (count > 0 ? `${count} ${what}` : []))
  process.stdout.write(
    `${network} is now the cluster ${hashes.to}; deleted what was stored of the former one: ${counts.join(', ') || 'nothing'}\n`,
  )
}
