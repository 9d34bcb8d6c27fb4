import { randomBytes } from 'node:crypto'
import type { Address } from '@solana/kit'
import { type ChainConditions, LAST_SPRING } from '../conditions.ts'
import { StartError } from '../start-error.ts'
import { openJournal } from '../storage/journal.ts'
import type { AccountChanges, ChainAccount } from './account.ts'
import { createAccounts } from './accounts.ts'
import { createHistory, type LandedTransaction } from './history.ts'

/** A record on disk. The genesis record is the first one. */
type ChainRecord =
  | {
      readonly kind: 'genesis'
      readonly seed: Uint8Array
      readonly genesisMs: number
      /** The slot in which the chain was created. */
      readonly firstSlot: number
      readonly conditions: ChainConditions
    }
  | { readonly kind: 'count'; readonly transactions: number }
  | {
      readonly kind: 'commit'
      readonly slot: number
      /** `null` marks an account that no longer exists, because JSON has no `undefined`. */
      readonly accounts: readonly (readonly [Address, ChainAccount | null])[]
      readonly transaction?: LandedTransaction
    }

type Genesis = Extract<ChainRecord, { kind: 'genesis' }>

/** The chain's accounts and transactions, in memory and on disk. */
export function openChainState(options: {
  directory: string
  /** Genesis time of a new chain, the slot in which it is created, and its conditions. */
  createGenesis: () => { genesisMs: number; firstSlot: number; conditions: ChainConditions }
  /** Supplies accounts that were never written. */
  fallback: (address: Address) => ChainAccount | undefined
  onError: (error: Error) => void
  journalBytesMax?: number
}) {
  const { onError } = options
  const accounts = createAccounts(options.fallback)
  const history = createHistory()
  let known: Genesis | undefined
  let lastSlot = 0
  const journal = openJournal(options.directory, {
    onError,
    ...(options.journalBytesMax !== undefined && { bytesMax: options.journalBytesMax }),
    restore(record) {
      const entry = record as ChainRecord
      // Chains from before there were others don't name their conditions.
      if (entry.kind === 'genesis') known = { ...entry, conditions: entry.conditions ?? LAST_SPRING }
      else if (entry.kind === 'count') history.setCount(entry.transactions)
      else {
        for (const [address, account] of entry.accounts) accounts.restore(address, account ?? undefined)
        if (entry.transaction) history.add(entry.transaction)
        lastSlot = Math.max(lastSlot, entry.slot)
      }
    },
  })
  if (known && known.firstSlot === undefined)
    throw new StartError(
      `${options.directory} is from an earlier version. Remove the whole DATA_DIR to start a new chain.`,
    )
  const genesis: Genesis = known ?? {
    kind: 'genesis',
    seed: Uint8Array.from(randomBytes(32)),
    ...options.createGenesis(),
  }
  if (!known) journal.append(genesis)

  function* records(slot: number): Iterable<ChainRecord> {
    yield genesis
    for (const entry of accounts.entries()) yield { kind: 'commit', slot, accounts: [entry] }
    for (const transaction of history.all()) {
      yield { kind: 'commit', slot: transaction.slot, accounts: [], transaction }
    }
    yield { kind: 'count', transactions: history.count() }
  }

  return {
    accounts,
    history,
    seed: genesis.seed,
    genesisMs: genesis.genesisMs,
    firstSlot: genesis.firstSlot,
    /** Those of its creation. Slots follow from them, so they never change. */
    conditions: genesis.conditions,
    /** The last slot on disk when the chain was opened. */
    lastSlot,

    /** Writes a change to disk and then applies it. If it throws, nothing has changed. */
    commit(slot: number, changed: AccountChanges, transaction?: LandedTransaction): void {
      journal.append({
        kind: 'commit',
        slot,
        accounts: [...changed].map(([address, account]) => [address, account ?? null] as const),
        ...(transaction && { transaction }),
      } satisfies ChainRecord)
      accounts.apply(slot, changed)
      if (transaction) history.add(transaction)
    },

    /** Replaces a long journal by a snapshot. A failure is reported, and a later commit tries again. */
    snapshotIfDue(slot: number): void {
      if (!journal.snapshotDue) return
      try {
        journal.snapshot(records(slot))
      } catch (error) {
        journal.postponeSnapshot()
        onError(error as Error)
      }
    },

    close: () => journal.close(),
  }
}
