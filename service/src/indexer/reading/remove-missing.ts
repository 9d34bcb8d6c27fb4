import { identityAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeAsset } from '../../chain/accounts/asset.ts'
import { decodeBucket } from '../../chain/accounts/bucket.ts'
import { decodeIdentity } from '../../chain/accounts/identity.ts'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import type { Database } from '../../store/database.ts'
import {
  countIndexed,
  findIndexed,
  forgetRemoved,
  listRemoved,
  removeIndexed,
} from '../../store/removed-accounts.ts'
import { INDEXED_KINDS, type IndexedKind } from '../../store/tables.ts'
import type { MissingAccounts } from '../accounts/known-accounts.ts'
import type { ReadContext } from './read-everything.ts'

/** A loss that exceeds both counts as a node's mistake until an operator accepts it. */
const REMOVALS_MAX = 10
const REMOVED_SHARE_MAX = 0.05

/** Removals are held back because too many accounts of a kind are missing. */
export interface HeldRemoval {
  kind: IndexedKind
  missing: number
  total: number
}

/**
 * Runs after a full read and removes what the chain no longer has. Each account is looked up once more at
 * `finalized`, on every endpoint. If too many of one kind are missing, nothing at all is removed.
 */
export async function removeMissing({
  network,
  rpc,
  database,
  missing,
  isAccepted,
  onHeld,
  onRemoved,
}: {
  network: Network
  rpc: Pick<ChainCalls, 'confirmMissing'>
  database: Database
  missing: MissingAccounts
  /** An operator accepted that all missing accounts are gone. */
  isAccepted: boolean
  /** Called with undefined if nothing is held back. */
  onHeld(held: HeldRemoval | undefined): void
  onRemoved(kind: IndexedKind, addresses: readonly Address[]): void
}): Promise<void> {
  const candidates = new Map<IndexedKind, Address[]>()
  let held: HeldRemoval | undefined
  for (const kind of INDEXED_KINDS) {
    const stored = await findIndexed(database, network, kind, missing.list(kind))
    missing.found(kind, difference(missing.list(kind), stored))
    const total = stored.length > 0 ? await countIndexed(database, network, kind) : 0
    if (stored.length > REMOVALS_MAX && stored.length > total * REMOVED_SHARE_MAX)
      held ??= { kind, missing: stored.length, total }
    candidates.set(kind, stored)
  }
  if (held && !isAccepted) return onHeld(held)
  onHeld(undefined)
  for (const [kind, addresses] of candidates) {
    if (addresses.length === 0) continue
    const { accountsOf, isPresent } = KINDS[kind]
    const confirmed = await rpc.confirmMissing(addresses.flatMap(accountsOf), isPresent)
    const absent = new Set(confirmed.missing)
    const gone = addresses.filter(address => accountsOf(address).some(account => absent.has(account)))
    const removed = await removeIndexed(database, network, kind, { addresses: gone, slot: confirmed.slot })
    missing.found(kind, [...difference(addresses, gone), ...removed])
    if (removed.length > 0) onRemoved(kind, removed)
  }
}

/** The accounts that the chain must have for each indexed item, and what they must be. */
const KINDS: Record<
  IndexedKind,
  { accountsOf(address: Address): Address[]; isPresent(account: ChainAccount): boolean }
> = {
  agents: {
    accountsOf: address => [address, identityAddress(address)],
    isPresent: account => decodeAsset(account).exists || decodeIdentity(account).exists,
  },
  buckets: { accountsOf: address => [address], isPresent: account => decodeBucket(account).exists },
}

function difference(all: readonly Address[], some: readonly Address[]): Address[] {
  const left = new Set(some)
  return all.filter(address => !left.has(address))
}

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
