import { randomBytes } from 'node:crypto'
import type { Address } from '@solana/kit'
import type { ChainRecord } from '../storage/chain-records.ts'
import { openJournal } from '../storage/journal.ts'
import type { AccountChanges, ChainAccount } from './account.ts'
import { createAccounts } from './accounts.ts'
import { createHistory, type LandedTransaction } from './history.ts'

type Genesis = Extract<ChainRecord, { kind: 'genesis' }>

/** What the chain remembers, on disk and in memory: its accounts and its transactions. */
export function openChainState(options: {
  directory: string
  /** When a chain that is not there yet begins. */
  genesisMs: () => number
  /** Answers for accounts that nobody wrote. */
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
      if (entry.kind === 'genesis') known = entry
      else if (entry.kind === 'count') history.setCount(entry.transactions)
      else {
        for (const [address, account] of entry.accounts) accounts.restore(address, account ?? undefined)
        if (entry.transaction) history.add(entry.transaction)
        lastSlot = Math.max(lastSlot, entry.slot)
      }
    },
  })
  const genesis: Genesis = known ?? {
    kind: 'genesis',
    seed: Uint8Array.from(randomBytes(32)),
    genesisMs: options.genesisMs(),
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
    /** The last slot that was written. */
    lastSlot,

    /** Makes a change last. When it throws, the change has not happened. */
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

    /** Keeps the journal short; a failure is reported and tried again later. */
    tidy(slot: number): void {
      if (!journal.wantsSnapshot) return
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
