import type { Address } from '@solana/kit'
import { type ChainConditions, CONDITIONS } from '../conditions.ts'
import type { StandIn } from '../programs/stand-in.ts'
import {
  type AccountChanges,
  type ChainAccount,
  type Commitment,
  SYSTEM_PROGRAM,
  standInAccount,
} from './account.ts'
import { openChainState } from './chain-state.ts'
import { createExecutor } from './execute.ts'
import { type Execution, refused, toLandedTransaction } from './execution.ts'
import type { LandedTransaction } from './history.ts'
import { verifySignatures, type WireTransaction } from './parse-transaction.ts'
import { createSlotClock } from './slot-clock.ts'
import { createVm, loadProgram, restoreVm, SYSVAR_OWNER } from './vm.ts'

/** One change of the chain: the changed accounts and, unless they were written directly, their transaction. */
export type Commit = {
  readonly slot: number
  readonly accounts: AccountChanges
  readonly transaction?: LandedTransaction
}

type ChainEvents = {
  commit(commit: Commit): void
  /** A new slot, and the commits that became final with it. */
  slot(slot: number, finalized: readonly Commit[]): void
}

export type Chain = ReturnType<typeof createChain>

/** A new chain has blocks for what the demo says happened in the seven weeks before. */
const PAST_MS = 51 * 86_400_000

export function createChain(options: {
  directory: string
  /** Binaries to load, by program address. */
  programs: ReadonlyMap<Address, Uint8Array>
  standIns: readonly StandIn[]
  onError: (error: Error) => void
  /** Of a new chain. */
  conditions?: ChainConditions
  now?: () => number
  journalBytesMax?: number
}) {
  const { conditions: wanted = CONDITIONS, now = Date.now, onError, journalBytesMax } = options
  const firstSlot = Math.ceil(PAST_MS / wanted.slotMs)
  const state = openChainState({
    directory: options.directory,
    createGenesis: () => ({ genesisMs: now() - firstSlot * wanted.slotMs, firstSlot, conditions: wanted }),
    fallback: neverWritten,
    onError,
    ...(journalBytesMax !== undefined && { journalBytesMax }),
  })
  const { slotMs } = state.conditions
  const vm = createVm(state.conditions)
  const standIns = new Map(options.standIns.map(standIn => [standIn.address, standIn]))
  const standInAccounts = new Map(
    options.standIns.flatMap(({ address, accounts = [] }) => [
      [address, standInAccount(address)],
      ...accounts,
    ]),
  )
  for (const [address, elf] of options.programs) loadProgram(vm, address, elf)
  for (const { accounts = [] } of options.standIns)
    for (const [address, account] of accounts) vm.write(address, account)
  const builtIns = vm.builtIns()
  function neverWritten(address: Address): ChainAccount | undefined {
    const known = standInAccounts.get(address) ?? builtIns.get(address)
    // Sysvars change with every slot. Nothing else is read from the VM here: while a transaction is being committed,
    // the VM is ahead of this state.
    if (known?.owner !== SYSVAR_OWNER) return known
    updateVmClock()
    return vm.read(address)
  }
  const { accounts, history, seed, genesisMs } = state
  restoreVm(vm, accounts.entries(), onError)

  const clock = createSlotClock({ seed, genesisMs, atLeast: state.lastSlot, slotMs, now })
  clock.advance()
  const vmClock = (unixTime = clock.unixTime(clock.slot())) => ({
    slot: clock.slot(),
    epoch: clock.epoch(),
    unixTime,
  })
  let vmSlot: number | undefined
  /** Called before anything reads the VM's clock, so that an idle slot costs next to nothing. */
  function updateVmClock(): void {
    if (vmSlot === clock.slot()) return
    vmSlot = clock.slot()
    vm.setTime(vmClock(), clock.recent())
  }

  const run = createExecutor(vm, standIns, accounts.get)
  const execute: typeof run = (tx, mode) => {
    updateVmClock()
    return run(tx, mode)
  }
  const listeners: { [K in keyof ChainEvents]: Set<ChainEvents[K]> } = { commit: new Set(), slot: new Set() }
  let unfinalized: Commit[] = []

  function commit(changes: AccountChanges, transaction?: LandedTransaction): void {
    const slot = clock.slot()
    const changed = accounts.differing(changes)
    if (changed.size === 0 && !transaction) return
    try {
      state.commit(slot, changed, transaction)
    } catch (error) {
      // A change that is not on disk has not happened, so the VM goes back to the state before it.
      for (const address of changed.keys()) vm.write(address, accounts.get(address))
      throw error
    }
    const done: Commit = { slot, accounts: changed, ...(transaction && { transaction }) }
    unfinalized.push(done)
    for (const listener of listeners.commit) notify(() => listener(done))
    state.snapshotIfDue(slot)
  }

  /** An error in a listener is reported, but must not reach the caller: the commit is already on disk. */
  function notify(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      onError(error as Error)
    }
  }

  /** The checks before execution, in the same order as on a node. */
  function precheck(tx: WireTransaction): string | undefined {
    if (clock.validSlotOf(tx.blockhash) === undefined) return 'BlockhashNotFound'
    if (history.hasMessage(tx.message)) return 'AlreadyProcessed'
    return undefined
  }

  /** `slot` is that of its block. An earlier one than the present changes only what the history says. */
  function land(tx: WireTransaction, also?: AccountChanges, slot = clock.slot()): Execution {
    const problem = verifySignatures(tx) ? precheck(tx) : 'SignatureFailure'
    if (problem) return refused(problem)
    const execution = execute(tx, 'commit')
    const { keys } = execution
    if (!execution.landed || !keys) return execution
    const changes = new Map(execution.accounts)
    if (execution.err === null && also) {
      for (const [address, account] of also) {
        vm.write(address, account)
        changes.set(address, account)
      }
    }
    const landing = {
      slot,
      before: accounts.get,
      after: (address: Address) => (changes.has(address) ? changes.get(address) : accounts.get(address)),
    }
    commit(changes, toLandedTransaction(tx, { ...execution, keys }, landing))
    return execution
  }

  const timer = setInterval(tick, slotMs)
  function tick() {
    if (!clock.advance()) return
    const finalizedSlot = clock.finalizedSlot()
    const finalized = unfinalized.filter(done => done.slot <= finalizedSlot)
    if (finalized.length > 0) {
      unfinalized = unfinalized.slice(finalized.length)
      accounts.finalize(finalizedSlot)
    }
    for (const listener of listeners.slot) notify(() => listener(clock.slot(), finalized))
  }

  return {
    clock,
    history,
    vm,
    standIns: [...standIns.keys()],
    seed,
    genesisHash: () => clock.blockhash(0),
    /** When the chain was created, in Unix seconds. */
    bornAt: () => Math.floor((genesisMs + state.firstSlot * slotMs) / 1000),
    conditions: state.conditions,

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
    /** Runs a transaction without changing anything. Checks neither signatures nor blockhash. */
    simulate: (tx: WireTransaction): Execution => execute(tx, 'simulate'),
    /**
     * Runs and commits a transaction. A refused one (`landed` is false) leaves no trace. `also` are accounts that are
     * written with it, atomically. They get an entry in the history if the transaction names them.
     */
    submit: (tx: WireTransaction, also?: AccountChanges): Execution => land(tx, also),
    /**
     * Runs and commits a transaction whose programs read `unixTime` from the clock. If that time has passed, the
     * transaction is in the block of that time. The demo uses this for launches that began before their chain. The
     * caller keeps the order: the history of an address lists what came last as the newest.
     */
    submitAt(tx: WireTransaction, unixTime: number, also?: AccountChanges): Execution {
      updateVmClock()
      vm.setClock(vmClock(unixTime))
      try {
        return land(tx, also, Math.min(clock.slot(), clock.slotOf(unixTime)))
      } finally {
        vm.setClock(vmClock())
      }
    },
    /** Writes accounts directly, without a transaction: subscribers are notified, but the history has no entry. */
    writeAccounts(changes: AccountChanges): void {
      for (const [address, account] of changes) vm.write(address, account)
      commit(changes)
    },
    /** Creates lamports and adds them to an account. */
    mint(address: Address, lamports: bigint): void {
      const was = accounts.get(address) ?? {
        lamports: 0n,
        owner: SYSTEM_PROGRAM,
        data: new Uint8Array(),
        executable: false,
      }
      this.writeAccounts(new Map([[address, { ...was, lamports: was.lamports + lamports }]]))
    },
    /**
     * Sets the rent of new accounts, for tests. A chain that is restarted has the rent of its conditions.
     */
    setRentPerByte: (lamports: bigint): void => vm.setRent(lamports),
    /** Makes everything up to now final. */
    settle: clock.settle,

    on<K extends keyof ChainEvents>(event: K, listener: ChainEvents[K]): () => void {
      listeners[event].add(listener)
      return () => listeners[event].delete(listener)
    },
    /** Does what the timer does, for tests that control the clock. */
    tick,
    close(): void {
      clearInterval(timer)
      state.close()
    },
  }
}
