import { AGENT_TOOLS_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeAsset } from '../../chain/accounts/asset.ts'
import { DELEGATION_BYTES, DELEGATION_KEY, decodeDelegation } from '../../chain/accounts/delegation.ts'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import { saveSearched } from '../../store/chain-progress.ts'
import type { Database } from '../../store/database.ts'
import { findOwned, listDelegations, removeDelegations, saveDelegations } from '../../store/delegations.ts'
import { SEARCH_LIMITS } from '../reading/read-in-parts.ts'
import { createRecordIndex, RECORD_BATCH, type RecordIndex } from './record-index.ts'

interface Parts {
  network: Network
  rpc: Pick<ChainCalls, 'fetchAccounts' | 'fetchProgramAccounts' | 'confirmCluster' | 'confirmMissing'>
  database: Database
}

/** A record and its agent are read in one call. */
const PAIRS = RECORD_BATCH / 2

/** Reads all delegations from the chain into the store, and removes those that it no longer has. */
export async function readDelegations(parts: Parts): Promise<void> {
  const { network, rpc, database } = parts
  const sinceMs = performance.now()
  const { accounts } = await rpc.fetchProgramAccounts(AGENT_TOOLS_PROGRAM, {
    filters: [
      { dataSize: DELEGATION_BYTES },
      { memcmp: { offset: 0, bytes: Uint8Array.of(DELEGATION_KEY) } },
    ],
    limits: SEARCH_LIMITS,
  })
  await rpc.confirmCluster(sinceMs)
  const seen = toRecords(accounts)
  await saveNew(parts, seen)
  await saveSearched(database, network, 'hasDelegations')
  const found = new Set(seen.map(({ address }) => address))
  const absent = (await listDelegations(database, network)).filter(record => !found.has(record))
  for (let at = 0; at < absent.length; at += RECORD_BATCH)
    await removeMissing(parts, absent.slice(at, at + RECORD_BATCH))
}

/** Reads these records. Returns those that the node does not have. */
export async function updateDelegations(parts: Parts, records: readonly Address[]): Promise<Address[]> {
  const { rpc } = parts
  if (records.length === 0) return []
  const sinceMs = performance.now()
  const { accounts } = await rpc.fetchAccounts(records)
  const seen = toRecords(accounts)
  await rpc.confirmCluster(sinceMs)
  await saveNew(parts, seen)
  const found = new Set(seen.map(({ address }) => address))
  const absent = records.filter(record => !found.has(record))
  if (absent.length > 0) await removeMissing(parts, absent)
  return absent
}

/** Looks up records on every endpoint first: removing a record forgets when it was first seen. */
async function removeMissing({ network, rpc, database }: Parts, records: readonly Address[]): Promise<void> {
  const { missing, slot } = await rpc.confirmMissing(records, account => decodeDelegation(account).exists)
  await removeDelegations(database, network, missing, slot)
}

/**
 * Reads new records again, together with their agents. The stored owner of an agent may be the previous one: a buyer
 * who appoints a delegate at once must not look like an owner who came after that delegation.
 */
async function saveNew({ network, rpc, database }: Parts, seen: readonly Delegation[]): Promise<void> {
  for (let at = 0; at < seen.length; at += PAIRS) {
    const batch = seen.slice(at, at + PAIRS)
    const owned = await findOwned(
      database,
      network,
      batch.map(({ address }) => address),
    )
    const fresh = batch.filter(({ address }) => !owned.has(address))
    if (fresh.length === 0) continue
    const sinceMs = performance.now()
    const { slot, accounts } = await rpc.fetchAccounts(
      fresh.flatMap(({ address, agent }) => [address, agent]),
    )
    await rpc.confirmCluster(sinceMs)
    const owners = new Map(
      accounts.flatMap(account => {
        const asset = decodeAsset(account)
        return asset.exists ? [[account.address, asset.owner]] : []
      }),
    )
    const rows = toRecords(accounts).map(({ address: record, agent, executive, wallet }) => ({
      record,
      agent,
      executive,
      wallet,
      firstOwner: owners.get(agent) ?? null,
    }))
    await saveDelegations(database, network, rows, slot)
  }
}

const toRecords = (accounts: readonly ChainAccount[]) =>
  accounts.flatMap(account => {
    const found = decodeDelegation(account)
    return found.exists ? [found] : []
  })
type Delegation = ReturnType<typeof toRecords>[number]

/** Keeps the stored delegations in step with the chain. */
export const createDelegationIndex = (
  parts: Parts & { sweepMs: number; onFault(error: unknown): void; signal: AbortSignal },
): RecordIndex =>
  createRecordIndex({
    ...parts,
    searched: 'hasDelegations',
    search: () => readDelegations(parts),
    list: page => listDelegations(parts.database, parts.network, page),
    update: records => updateDelegations(parts, records),
  })
