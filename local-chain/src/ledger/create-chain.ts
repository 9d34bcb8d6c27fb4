import type { Address } from '@solana/kit'
import type { StandIn } from '../programs/stand-in.ts'
import { StartError } from '../start-error.ts'
import { type AccountChanges, type ChainAccount, type Commitment, SYSTEM_PROGRAM } from './account.ts'
import { openChainState } from './chain-state.ts'
import { describeLanding } from './describe-landing.ts'
import { createExecutor } from './execute.ts'
import { type Execution, refused } from './execution.ts'
import type { LandedTransaction } from './history.ts'
import { verifySignatures, type WireTransaction } from './parse-transaction.ts'
import { programAccount } from './program-account.ts'
import { createSlotClock, SLOT_MS } from './slot-clock.ts'
import { createVm, SYSVAR_OWNER, type Vm } from './vm.ts'

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
  const { slotMs = SLOT_MS, now = Date.now, onError, journalBytesMax } = options
  const vm = createVm()
  const standIns = new Map(options.standIns.map(standIn => [standIn.address, standIn]))
  for (const [address, elf] of options.programs) loadProgram(vm, address, elf)
  const builtIns = vm.builtIns()
  const state = openChainState({
    directory: options.directory,
    genesisMs: () => now() - FIRST_SLOT * slotMs,
    fallback(address) {
      if (standIns.has(address)) return programAccount(address)
      const known = builtIns.get(address)
      // Sysvars change with the slots. Nothing else is read from the machine here: it runs ahead of us while a
      // transaction is being taken over.
      return known?.owner === SYSVAR_OWNER ? vm.read(address) : known
    },
    onError,
    ...(journalBytesMax !== undefined && { journalBytesMax }),
  })
  const { accounts, history, seed, genesisMs } = state
  restoreVm(vm, accounts.entries(), onError)

  const clock = createSlotClock({ seed, genesisMs, atLeast: state.lastSlot, slotMs, now })
  clock.advance()
  const tellTime = () => {
    const slot = clock.slot()
    vm.setTime({ slot, epoch: clock.epoch(), unixTime: clock.unixTime(slot) }, clock.recent())
  }
  tellTime()

  const execute = createExecutor(vm, standIns, accounts.get)
  const listeners: { [K in keyof ChainEvents]: Set<ChainEvents[K]> } = { commit: new Set(), slot: new Set() }
  let unfinal: Commit[] = []

  function commit(changes: AccountChanges, transaction?: LandedTransaction): void {
    const slot = clock.slot()
    const changed = accounts.differing(changes)
    if (changed.size === 0 && !transaction) return
    try {
      state.commit(slot, changed, transaction)
    } catch (error) {
      // What is not on disk has not happened: the machine goes back to where the files are.
      for (const address of changed.keys()) vm.write(address, accounts.get(address))
      throw error
    }
    const done: Commit = { slot, accounts: changed, ...(transaction && { transaction }) }
    unfinal.push(done)
    for (const listener of listeners.commit) tell(() => listener(done))
    state.tidy(slot)
  }

  /** What has happened has happened: a listener that stumbles over it must not take the caller down. */
  function tell(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      onError(error as Error)
    }
  }

  /** The checks that come before a run, in a node's order. */
  function precheck(tx: WireTransaction): string | undefined {
    if (clock.validSlotOf(tx.blockhash) === undefined) return 'BlockhashNotFound'
    if (history.hasMessage(tx.message)) return 'AlreadyProcessed'
    return undefined
  }

  function land(tx: WireTransaction, also?: AccountChanges): Execution {
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
      slot: clock.slot(),
      before: accounts.get,
      after: (address: Address) => (changes.has(address) ? changes.get(address) : accounts.get(address)),
    }
    commit(changes, describeLanding(tx, { ...execution, keys }, landing))
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
    seed,
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
    /** Writes accounts from outside, without a transaction: subscribers hear of it, no history tells of it. */
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
    /** Declares all that has happened so far final, as what a chain begins with is. */
    settle: clock.settle,

    on<K extends keyof ChainEvents>(event: K, listener: ChainEvents[K]): () => void {
      listeners[event].add(listener)
      return () => listeners[event].delete(listener)
    },
    /** For tests and for whoever moves the clock: does what the timer does. */
    tick,
    close(): void {
      clearInterval(timer)
      state.close()
    },
  }
}

function loadProgram(vm: Vm, address: Address, elf: Uint8Array): void {
  try {
    vm.addProgram(address, elf)
  } catch (error) {
    throw new StartError(
      `The machine cannot run programs/${address}.so (${(error as Error).message}). Fetch it again or remove it.`,
    )
  }
}

/** The machine starts empty: it gets back what the files remember, programs after the data that they point to. */
function restoreVm(
  vm: Vm,
  entries: Iterable<[Address, ChainAccount]>,
  onError: (error: Error) => void,
): void {
  const ordered = [...entries].sort(([, a], [, b]) => Number(a.executable) - Number(b.executable))
  for (const [address, account] of ordered) {
    try {
      vm.write(address, account)
    } catch (error) {
      onError(new Error(`account ${address} could not be restored: ${(error as Error).message}`))
    }
  }
}
