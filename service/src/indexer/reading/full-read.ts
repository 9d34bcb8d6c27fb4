import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import {
  findProgress,
  forgetSlotsAfter,
  saveCompleteScan,
  saveProgress,
  saveScan,
} from '../../store/chain-progress.ts'
import type { Database } from '../../store/database.ts'
import { listAgentAddresses } from '../../store/indexed-agents.ts'
import type { IndexedKind } from '../../store/tables.ts'
import { createAccountUpdater } from '../accounts/account-updater.ts'
import { createBlockTimes } from '../accounts/block-times.ts'
import { readDelegations } from '../accounts/index-delegations.ts'
import { readDeposits } from '../accounts/index-deposits.ts'
import { createMissingAccounts, readKnownAccounts } from '../accounts/known-accounts.ts'
import { type ReadContext, readEverything } from './read-everything.ts'
import { type HeldRemoval, removeMissing } from './remove-missing.ts'

interface FullRead {
  /** Everything up to this slot is in the store. */
  slot: number
  /** When that slot was the newest. */
  at: Date
  accounts: number
  /** It continued an earlier read that was interrupted. */
  isResumed: boolean
}

/**
 * Reads the whole chain into the store. The first full read records how far it got. If it was interrupted, agents that
 * were already read are skipped. They may have changed since, so a resumed read covers the chain only up to the slot at
 * which the first one began.
 */
export async function runFullRead(
  context: ReadContext,
  {
    isFirst,
    searchesDeposits,
    onShare,
    onFault,
  }: {
    isFirst: boolean
    /** There are many deposits, so while polling, not every read searches for them. */
    searchesDeposits: boolean
    onShare(share: number): void
    /** The delegations or the deposits could not be read, but everything else. */
    onFault(error: unknown): void
  },
): Promise<FullRead> {
  const { network, rpc, database } = context
  const startedAt = new Date()
  const sinceMs = performance.now()
  const slot = await rpc.fetchSlot()
  await rpc.confirmCluster(sinceMs)
  const before = isFirst ? await findProgress(database, network) : undefined
  const resumedSlot = before?.scanSlot
  const scanSlot = resumedSlot ?? slot
  let skip: Address[] = []
  if (resumedSlot != null) skip = await listAgentAddresses(database, network, { since: resumedSlot })
  else if (isFirst) await forgetSlotsAfter(database, network, slot)
  const accounts = await readEverything(context, {
    slot,
    skip,
    async onShare(share) {
      onShare(share)
      if (isFirst) await saveScan(database, network, { slot: scanSlot, share })
    },
  })
  const searches = [readDelegations, ...(searchesDeposits ? [readDeposits] : [])]
  for (const search of searches)
    await search(context).catch(error => {
      if (context.signal.aborted) throw error
      onFault(error)
    })
  const isResumed = before !== undefined && resumedSlot != null
  const reached = { slot: scanSlot, at: isResumed ? before.updatedAt : startedAt }
  if (isFirst) await saveCompleteScan(database, network, reached)
  onShare(1)
  return { ...reached, accounts, isResumed }
}

/** A full read for the command line, without following the chain afterwards. Serving nodes fetch the documents. */
export async function indexNetworkOnce({
  network,
  rpc,
  database,
  signal,
  acceptsRemovals = false,
  onShare,
  onHeld = () => {},
  onRemoved = () => {},
  onRefused,
  onFault = () => {},
}: {
  network: Network
  rpc: ChainCalls
  database: Database
  signal: AbortSignal
  /** Removes whatever is missing, however much that is. */
  acceptsRemovals?: boolean
  onShare(share: number): void
  onHeld?(held: HeldRemoval): void
  onRemoved?(kind: IndexedKind, addresses: readonly Address[]): void
  onRefused(address: Address, error: unknown): void
  /** The delegations or the deposits could not be read, but everything else. */
  onFault?(error: unknown): void
}): Promise<FullRead> {
  const known = await readKnownAccounts(database, network)
  const isFirst = !(await findProgress(database, network))?.isComplete
  const missing = createMissingAccounts()
  const updater = createAccountUpdater({
    network,
    reader: rpc,
    database,
    times: createBlockTimes(rpc, database.nowMs),
    known,
    missing,
    documents: { addFirst() {} },
    onChanges: () => {},
    onRemoved,
    onRefused,
  })
  const context = { network, rpc, database, known, missing, updater, signal, giveWay: async () => {} }
  const result = await runFullRead(context, { isFirst, searchesDeposits: true, onShare, onFault })
  await removeMissing({
    ...context,
    isAccepted: acceptsRemovals,
    onHeld: held => held && onHeld(held),
    onRemoved,
  })
  if (!isFirst) await saveProgress(database, network, result)
  return result
}
