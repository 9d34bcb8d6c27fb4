import { DEPOSIT_KINDS } from '@slipway/launch-model/kinds/kinds'
import { GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeDepositOwner } from '../../chain/accounts/bucket.ts'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import type { ProgramFilter } from '../../chain/rpc/requests.ts'
import { saveSearched } from '../../store/chain-progress.ts'
import type { Database } from '../../store/database.ts'
import { findStoredDeposits, listDeposits, removeDeposits, saveDeposits } from '../../store/deposits.ts'
import { readInParts, SEARCH_LIMITS } from '../reading/read-in-parts.ts'
import { createRecordIndex, RECORD_BATCH, type RecordIndex } from './record-index.ts'

interface Parts {
  network: Network
  rpc: Pick<ChainCalls, 'fetchAccounts' | 'fetchProgramAccounts' | 'confirmCluster' | 'confirmMissing'>
  database: Database
}

const OWNER_AT = 16
const COMPARED_AT_ONCE = 1_000
/** Deriving an address takes 0.2 ms, so a small batch keeps the event loop free. */
const DECODED_AT_ONCE = 50
const LISTED_AT_ONCE = 10_000
/** A search need not find every closed deposit: sweeps find them too. */
const REMOVED_MAX = 1_000

/** Reads all deposits from the chain into the store, and removes those that it no longer has. */
export async function readDeposits(parts: Parts): Promise<void> {
  const { network, rpc, database } = parts
  const found = new Set<Address>()

  async function read(filters: ProgramFilter[]): Promise<number> {
    const sinceMs = performance.now()
    const { slot, accounts } = await rpc.fetchProgramAccounts(GENESIS_PROGRAM, {
      filters,
      limits: SEARCH_LIMITS,
    })
    await rpc.confirmCluster(sinceMs)
    for (let at = 0; at < accounts.length; at += COMPARED_AT_ONCE) {
      const batch = accounts.slice(at, at + COMPARED_AT_ONCE)
      for (const { address } of batch) found.add(address)
      await saveNew(parts, batch, slot)
    }
    return accounts.length
  }

  for (const { deposits } of DEPOSIT_KINDS) {
    const ofKind = [
      { dataSize: deposits.layout.size as number },
      { memcmp: { offset: 0, bytes: Uint8Array.of(deposits.key) } },
    ]
    await readInParts(OWNER_AT, filters => read([...ofKind, ...filters]))
  }
  await saveSearched(database, network, 'hasDeposits')
  const absent = await listAbsent(parts, found)
  for (let at = 0; at < absent.length; at += RECORD_BATCH)
    await removeMissing(parts, absent.slice(at, at + RECORD_BATCH))
}

/** Deposits that are stored already were checked when they were stored. */
async function saveNew({ network, database }: Parts, accounts: readonly ChainAccount[], slot: number) {
  const addresses = accounts.map(({ address }) => address)
  const stored = await findStoredDeposits(database, network, addresses)
  const fresh = accounts.filter(({ address }) => !stored.has(address))
  for (let at = 0; at < fresh.length; at += DECODED_AT_ONCE) {
    const seen = toDeposits(fresh.slice(at, at + DECODED_AT_ONCE))
    await saveDeposits(database, network, seen, { slot, renews: false })
  }
}

async function listAbsent({ network, database }: Parts, found: ReadonlySet<Address>): Promise<Address[]> {
  const absent: Address[] = []
  let after = ''
  do {
    const page = await listDeposits(database, network, { after, limit: LISTED_AT_ONCE })
    absent.push(...page.filter(address => !found.has(address)))
    after = page.at(-1) ?? ''
  } while (after !== '' && absent.length < REMOVED_MAX)
  return absent.slice(0, REMOVED_MAX)
}

/** Reads these deposits. Returns those that the node does not have. */
export async function updateDeposits(parts: Parts, addresses: readonly Address[]): Promise<Address[]> {
  const { network, rpc, database } = parts
  if (addresses.length === 0) return []
  const sinceMs = performance.now()
  const { slot, accounts } = await rpc.fetchAccounts(addresses)
  await rpc.confirmCluster(sinceMs)
  const seen = toDeposits(accounts)
  await saveDeposits(database, network, seen, { slot, renews: true })
  const found = new Set(seen.map(({ address }) => address))
  const absent = addresses.filter(address => !found.has(address))
  if (absent.length > 0) await removeMissing(parts, absent)
  return absent
}

/** Looks them up on every endpoint first: one endpoint may merely lack them. */
async function removeMissing({ network, rpc, database }: Parts, addresses: readonly Address[]) {
  const { missing, slot } = await rpc.confirmMissing(addresses, account => decodeDepositOwner(account).exists)
  await removeDeposits(database, network, missing, slot)
}

const toDeposits = (accounts: readonly ChainAccount[]) =>
  accounts.flatMap(account => {
    const found = decodeDepositOwner(account)
    return found.exists ? [found] : []
  })

/** Keeps the stored deposits in step with the chain. */
export const createDepositIndex = (
  parts: Parts & { sweepMs: number; onFault(error: unknown): void; signal: AbortSignal },
): RecordIndex =>
  createRecordIndex({
    ...parts,
    searched: 'hasDeposits',
    search: () => readDeposits(parts),
    list: page => listDeposits(parts.database, parts.network, page),
    update: addresses => updateDeposits(parts, addresses),
  })
