import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { findProgress, forgetSlotsAfter, saveProgress, saveScan } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import { listAgentAddresses } from '../store/indexed-agents.ts'
import { listLaunchAddresses } from '../store/indexed-launches.ts'
import { type Applier, createApplier } from './apply.ts'
import { createBlockTimes } from './block-times.ts'
import type { KnownAccounts } from './known-accounts.ts'
import { readEverything } from './read-everything.ts'

/**
 * Everything on the chain into the store, once. The first time it writes down how far it has come; when that was
 * broken off, agents that it had already taken are not read again.
 */
export async function readOnce({
  network,
  rpc,
  database,
  known,
  applier,
  signal,
  isFirst,
  onShare,
}: {
  network: Network
  rpc: ChainRpc
  database: Database
  known: KnownAccounts
  applier: Applier
  signal: AbortSignal
  isFirst: boolean
  onShare(share: number): void
}): Promise<{ slot: number; accounts: number }> {
  const slot = await rpc.fetchSlot()
  const begun = isFirst ? (await findProgress(database, network))?.scanSlot : undefined
  const scanSlot = begun ?? slot
  let done: Address[] = []
  if (begun != null) done = await listAgentAddresses(database, network, { since: begun })
  else if (isFirst) await forgetSlotsAfter(database, network, slot)
  const accounts = await readEverything({
    network,
    rpc,
    database,
    known,
    applier,
    signal,
    done,
    async onShare(share) {
      onShare(share)
      if (isFirst) await saveScan(database, network, { slot: scanSlot, share })
    },
  })
  if (isFirst) await saveScan(database, network, 'complete')
  onShare(1)
  return { slot, accounts }
}

/** For the command line: the same without following the chain afterwards. Documents are left to the nodes that serve. */
export async function indexNetworkOnce({
  network,
  rpc,
  database,
  signal,
  onShare,
}: {
  network: Network
  rpc: ChainRpc
  database: Database
  signal: AbortSignal
  onShare(share: number): void
}): Promise<{ slot: number; accounts: number }> {
  const known: KnownAccounts = {
    launches: new Set(await listLaunchAddresses(database, network)),
    agents: new Set(await listAgentAddresses(database, network)),
  }
  const isFirst = !(await findProgress(database, network))?.isComplete
  const applier = createApplier({
    network,
    reader: rpc,
    database,
    times: createBlockTimes(rpc),
    known,
    documents: { add() {}, addFirst() {} },
    onChanges: () => {},
  })
  const startedAt = new Date()
  const result = await readOnce({ network, rpc, database, known, applier, signal, isFirst, onShare })
  await saveProgress(database, network, { slot: result.slot, at: startedAt })
  return result
}
