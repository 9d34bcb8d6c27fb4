import { randomBytes } from 'node:crypto'
import type { Address } from '@solana/kit'
import type { StandIn } from '../programs/stand-in.ts'
import type { ChainRecord } from '../storage/chain-records.ts'
import { openJournal } from '../storage/journal.ts'
import { type AccountChanges, type ChainAccount, type Commitment, SYSTEM_PROGRAM } from './account.ts'
import { createAccounts } from './accounts.ts'
import { createExecutor, type Execution, refused } from './execute.ts'
import { createHistory, type LandedTransaction } from './history.ts'
import { verifySignatures, type WireTransaction } from './parse-transaction.ts'
import { programAccount } from './program-account.ts'
import { createSlotClock, SLOT_MS } from './slot-clock.ts'
import { tokenBalances } from './token-balances.ts'
import { createVm } from './vm.ts'

/** One step of the chain: the accounts that changed, and the transaction that changed them if there was one. */
export type Commit = {
  readonly slot: number
  readonly accounts: AccountChanges
  readonly transaction?: LandedTransaction
}

export type ChainEvents = {
  commit(commit: Commit): void
  /** A new slot, and the commits that became final with it. */
  slot(slot: number, finalized: readonly Commit[]): void
}

export type Chain = ReturnType<typeof createChain>

/** A new chain has some past, so that "32 slots ago" has a meaning from the start. */
const FIRST_SLOT = 1_000

export function createChain(options: {
  directory: string
  /** Binaries to load, by program address. */
  programs: ReadonlyMap<Address, Uint8Array>
  standIns: readonly StandIn[]
  onError: (error: Error) => void
  slotMs?: number
  now?: () => number
  journalBytesMax?: number
}) {
  const { slotMs = SLOT_MS, now = Date.now, onError } = options
  const vm = createVm()
  const standIns = new Map(options.standIns.map(standIn => [standIn.address, standIn]))
  for (const [address, elf] of options.programs) vm.addProgram(address, elf)
  const builtIns = vm.builtIns()
  const accounts = createAccounts(address => {
    if (standIns.has(address)) return programAccount(address)
    // Nothing else is read from the machine here: it runs ahead of us while a transaction is being taken over.
    return builtIns.has(address) ? vm.read(address) : undefined
  })
  const history = createHistory()

  let genesis: Extract<ChainRecord, { kind: 'genesis' }> | undefined
  let lastSlot = 0
  const journal = openJournal(options.directory, {
    onError,
    ...(options.journalBytesMax !== undefined && { bytesMax: options.journalBytesMax }),
    restore(record) {
      const entry = record as ChainRecord
      if (entry.kind === 'genesis') genesis = entry
      else if (entry.kind === 'count') history.setCount(entry.transactions)
      else {
        for (const [address, account] of entry.accounts) accounts.restore(address, account ?? undefined)
        if (entry.transaction) history.add(entry.transaction)
        lastSlot = Math.max(lastSlot, entry.slot)
      }
    },
  })
  if (!genesis) {
    genesis = { kind: 'genesis', seed: randomBytes(32), genesisMs: now() - FIRST_SLOT * slotMs }
    journal.append(genesis)
  }
  const { seed, genesisMs } = genesis
  restoreVm()

  const clock = createSlotClock({ seed: Uint8Array.from(seed), genesisMs, atLeast: lastSlot, slotMs, now })
  clock.advance()
  const tellTime = () => {
    const slot = clock.slot()
    vm.setTime({ slot, epoch: clock.epoch(), unixTime: clock.unixTime(slot) }, clock.recent())
  }
  tellTime()

  const execute = createExecutor(vm, standIns, accounts.get)
  const listeners: { [K in keyof ChainEvents]: Set<ChainEvents[K]> } = { commit: new Set(), slot: new Set() }
  let unfinal: Commit[] = []

  /** The machine starts empty: it gets back what the files remember, programs after the data that they point to. */
  function restoreVm() {
    const entries = [...accounts.entries()].sort(
      ([, a], [, b]) => Number(a.executable) - Number(b.executable),
    )
    for (const [address, account] of entries) {
      try {
        vm.write(address, account)
      } catch (error) {
        onError(new Error(`account ${address} could not be restored: ${(error as Error).message}`))
      }
    }
  }

  function commit(changes: AccountChanges, transaction?: LandedTransaction): void {
    const slot = clock.slot()
    const changed = accounts.differing(changes)
    if (changed.size === 0 && !transaction) return
    try {
      journal.append({
        kind: 'commit',
        slot,
        accounts: [...changed].map(([address, account]) => [address, account ?? null] as const),
        ...(transaction && { transaction }),
      } satisfies ChainRecord)
    } catch (error) {
      // What is not on disk has not happened: the machine goes back to where the files are.
      for (const address of changed.keys()) vm.write(address, accounts.get(address))
      throw error
    }
    accounts.apply(slot, changed)
    if (transaction) history.add(transaction)
    const done: Commit = { slot, accounts: changed, ...(transaction && { transaction }) }
    unfinal.push(done)
    for (const listener of listeners.commit) tell(() => listener(done))
    if (journal.wantsSnapshot) {
      try {
        journal.snapshot(snapshotRecords())
      } catch (error) {
        journal.postponeSnapshot()
        onError(error as Error)
      }
    }
  }

  /** What has happened has happened: a listener that stumbles over it must not take the caller down. */
  function tell(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      onError(error as Error)
    }
  }

  function* snapshotRecords(): Iterable<ChainRecord> {
    yield genesis as ChainRecord
    for (const [address, account] of accounts.entries()) {
      yield { kind: 'commit', slot: clock.slot(), accounts: [[address, account]] }
    }
    const total = history.count()
    for (const transaction of history.all()) {
      yield { kind: 'commit', slot: transaction.slot, accounts: [], transaction }
    }
    yield { kind: 'count', transactions: total }
  }

  /** The checks that come before a run, in a node's order. */
  function precheck(tx: WireTransaction): string | undefined {
    if (clock.validSlotOf(tx.blockhash) === undefined) return 'BlockhashNotFound'
    if (history.get(tx.signature)) return 'AlreadyProcessed'
    return undefined
  }

  function land(tx: WireTransaction, also?: AccountChanges): Execution {
    const problem = verifySignatures(tx) ? precheck(tx) : 'SignatureFailure'
    if (problem) return refused(problem)
    const execution = execute(tx, 'commit')
    const { keys } = execution
    if (!execution.landed || !keys) return execution
    const before = (address: Address) => accounts.get(address)
    const after = (address: Address) =>
      execution.accounts.has(address) ? execution.accounts.get(address) : accounts.get(address)
    const lamports = (read: typeof before) => keys.keys.map(key => read(key)?.lamports ?? 0n)
    const preBalances = lamports(before)
    const postBalances = lamports(after)
    const transaction: LandedTransaction = {
      signature: tx.signature,
      slot: clock.slot(),
      wire: tx.wire,
      version: tx.version,
      err: execution.err,
      fee: feeOf(execution, preBalances, postBalances),
      keys: keys.keys,
      loaded: keys.loaded,
      preBalances,
      postBalances,
      preTokenBalances: tokenBalances(keys.keys, before),
      postTokenBalances: tokenBalances(keys.keys, after),
      logs: execution.logs,
      inner: execution.inner,
      unitsConsumed: execution.unitsConsumed,
      returnData: execution.returnData,
    }
    const changes = new Map(execution.accounts)
    if (execution.err === null && also) {
      for (const [address, account] of also) {
        vm.write(address, account)
        changes.set(address, account)
      }
    }
    commit(changes, transaction)
    return execution
  }

  const timer = setInterval(tick, slotMs)
  function tick() {
    if (!clock.advance()) return
    tellTime()
    const rooted = clock.finalizedSlot()
    const finalized = unfinal.filter(done => done.slot <= rooted)
    if (finalized.length > 0) {
      unfinal = unfinal.slice(finalized.length)
      accounts.finalize(rooted)
    }
    for (const listener of listeners.slot) tell(() => listener(clock.slot(), finalized))
  }

  return {
    clock,
    history,
    vm,
    standIns: [...standIns.keys()],
    seed: Uint8Array.from(seed),
    genesisHash: () => clock.blockhash(0),
    /** When the chain was made, in unix seconds. */
    bornAt: () => Math.floor((genesisMs + FIRST_SLOT * slotMs) / 1000),

    account(address: Address, commitment: Commitment = 'confirmed'): ChainAccount | undefined {
      return commitment === 'finalized'
        ? accounts.getAt(address, clock.finalizedSlot())
        : accounts.get(address)
    },
    programAccounts(
      owner: Address,
      commitment: Commitment = 'confirmed',
    ): Iterable<readonly [Address, ChainAccount]> {
      return accounts.ownedBy(owner, commitment === 'finalized' ? clock.finalizedSlot() : undefined)
    },
    slotAt: (commitment: Commitment): number =>
      commitment === 'finalized' ? clock.finalizedSlot() : clock.slot(),

    verify: verifySignatures,
    precheck,
    /** Runs a transaction without a trace, whoever signed it and whatever its blockhash. */
    simulate: (tx: WireTransaction): Execution => execute(tx, 'simulate'),
    /** Runs a transaction for good. A refused one (`landed` false) leaves no trace. */
    submit: (tx: WireTransaction): Execution => land(tx),
    /**
     * Runs a transaction and writes `accounts` with it, in one step that survives or is lost as a whole: how the demo's
     * market makes moves for which no program is at hand, yet with a signature, a block time and a place in the
     * history of every account that the transaction names.
     */
    submitWith: (tx: WireTransaction, also: AccountChanges): Execution => land(tx, also),
    /** Writes accounts from outside, without a transaction. */
    writeAccounts(changes: AccountChanges): void {
      for (const [address, account] of changes) vm.write(address, account)
      commit(changes)
    },
    /** Adds lamports to an account out of nothing. */
    mint(address: Address, lamports: bigint): void {
      const was = accounts.get(address) ?? {
        lamports: 0n,
        owner: SYSTEM_PROGRAM,
        data: new Uint8Array(),
        executable: false,
      }
      this.writeAccounts(new Map([[address, { ...was, lamports: was.lamports + lamports }]]))
    },

    on<K extends keyof ChainEvents>(event: K, listener: ChainEvents[K]): () => void {
      listeners[event].add(listener)
      return () => listeners[event].delete(listener)
    },
    /** For tests and for whoever moves the clock: does what the timer does. */
    tick,
    close(): void {
      clearInterval(timer)
      journal.close()
    },
  }
}

/** What the payer lost beyond what moved among the accounts: lamports only ever leave a transaction as its fee. */
function feeOf(execution: Execution, pre: readonly bigint[], post: readonly bigint[]): bigint {
  if (execution.err !== null) return (pre[0] ?? 0n) - (post[0] ?? 0n)
  const sum = (list: readonly bigint[]) => list.reduce((total, value) => total + value, 0n)
  return sum(pre) - sum(post)
}
