import { forgetRemoved, listRemoved } from '../../store/removed-accounts.ts'
import type { ReadContext } from './read-everything.ts'

/** Reads removed accounts again and brings back those that the chain still has. */
export async function restoreRemoved({
  network,
  database,
  known,
  updater,
}: Pick<ReadContext, 'network' | 'database' | 'known' | 'updater'>): Promise<void> {
  const removed = await listRemoved(database, network)
  await updater.updateAgents(removed.agents)
  const agents = removed.agents.filter(address => known.agents.has(address))
  await forgetRemoved(database, network, 'agents', agents)
  await forgetRemoved(database, network, 'buckets', await updater.updateBuckets(removed.buckets))
}
