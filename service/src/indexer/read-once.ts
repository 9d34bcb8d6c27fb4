import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import {
  findProgress,
  forgetSlotsAfter,
  saveCompleteScan,
  saveProgress,
  saveScan,
} from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import { listAgentAddresses } from '../store/indexed-agents.ts'
import { listLaunchAddresses } from '../store/indexed-launches.ts'
import type { IndexedKind } from '../store/tables.ts'
import { type Applier, createApplier } from './apply.ts'
import { createBlockTimes } from './block-times.ts'
import type { KnownAccounts } from './known-accounts.ts'
import { createMissingAccounts, type MissingAccounts } from './missing-accounts.ts'
import { readEverything } from './read-everything.ts'
import { type HeldRemoval, removeMissing } from './remove-missing.ts'

export interface ReadResult {
  /** Everything up to here is in the store. */
  slot: number
  /** When that slot was the newest. */
  at: Date
  accounts: number
  /** It went on with one that had been broken off. */
  isResumed: boolean
}

/**
 * Everything on the chain into the store, once. The first time it writes down how far it has come; when that was
 * broken off, agents that it had already taken are not read again. What happened to them meanwhile is then not known,
 * and the store is vouched for only up to the slot at which it was begun.
 */
export async function readOnce({
  network,
  rpc,
  database,
  known,
  missing,
  applier,
  signal,
  isFirst,
  giveWay,
  onShare,
}: {
  network: Network
  rpc: ChainRpc
  database: Database
  known: KnownAccounts
  missing: MissingAccounts
  applier: Applier
  signal: AbortSignal
  isFirst: boolean
  giveWay(): Promise<void>
  onShare(share: number): void
}): Promise<ReadResult> {
  const startedAt = new Date()
  const sinceMs = performance.now()
  const slot = await rpc.fetchSlot()
  await rpc.confirmCluster(sinceMs)
  const before = isFirst ? await findProgress(database, network) : undefined
  const begun = before?.scanSlot
  const scanSlot = begun ?? slot
  let done: Address[] = []
  if (begun != null) done = await listAgentAddresses(database, network, { since: begun })
  else if (isFirst) await forgetSlotsAfter(database, network, slot)
  const accounts = await readEverything({
    network,
    rpc,
    database,
    known,
    missing,
    applier,
    signal,
    slot,
    done,
    giveWay,
    async onShare(share) {
      onShare(share)
      if (isFirst) await saveScan(database, network, { slot: scanSlot, share })
    },
  })
  const isResumed = before !== undefined && begun != null
  const reached = { slot: scanSlot, at: isResumed ? before.updatedAt : startedAt }
  if (isFirst) await saveCompleteScan(database, network, reached)
  onShare(1)
  return { ...reached, accounts, isResumed }
}

/** For the command line: the same without following the chain afterwards. Documents are left to the nodes that serve. */
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
}: {
  network: Network
  rpc: ChainRpc
  database: Database
  signal: AbortSignal
  /** However much is missing, it is removed. */
  acceptsRemovals?: boolean
  onShare(share: number): void
  onHeld?(held: HeldRemoval): void
  onRemoved?(kind: IndexedKind, addresses: readonly Address[]): void
  onRefused(address: Address, error: unknown): void
}): Promise<ReadResult> {
  const known: KnownAccounts = {
    launches: new Set(await listLaunchAddresses(database, network)),
    agents: new Set(await listAgentAddresses(database, network)),
  }
  const isFirst = !(await findProgress(database, network))?.isComplete
  const missing = createMissingAccounts()
  const applier = createApplier({
    network,
    reader: rpc,
    database,
    times: createBlockTimes(rpc),
    known,
    missing,
    documents: { add() {}, addFirst() {} },
    onChanges: () => {},
    onRemoved,
    onRefused,
  })
  const result = await readOnce({
    network,
    rpc,
    database,
    known,
    missing,
    applier,
    signal,
    isFirst,
    giveWay: async () => {},
    onShare,
  })
  await removeMissing({
    network,
    rpc,
    database,
    missing,
    isAccepted: acceptsRemovals,
    onHeld: held => held && onHeld(held),
    onRemoved,
  })
  if (!isFirst) await saveProgress(database, network, result)
  return result
}
