import type { Address } from '@slipway/schema/address'
import { pause } from '../../lib/pause.ts'

/**
 * Refreshes agents whose documents are due or have changed. Their hosts may be slow or never answer, so each refresh
 * waits for its documents without holding up others; only the work on the chain and in the store is limited. The store
 * knows which agents are due, so a restart forgets nothing.
 */
export interface DocumentQueue {
  /** Fetches the documents of an agent that has just changed, before those that are due. */
  addFirst(address: Address): void
  /** Fetches the documents that are due, until the signal. */
  run(): Promise<void>
}

/** Runs a part of a refresh that uses the chain or the store. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

const CONCURRENCY = 3
/** More than can wait for a turn to fetch their documents. */
const REFRESHES_MAX = 2_000
const BATCH = 30
/** A batch takes at least this long: no more than 25 agents per second. */
const BATCH_MS_MIN = 1_200
const IDLE_MS = 2_000

export function createDocumentQueue({
  listDue,
  refresh,
  record,
  onFault,
  signal,
}: {
  /** Lists agents that are due, except for these. */
  listDue(count: number, except: readonly Address[]): Promise<Address[]>
  /** Returns whether the documents could be fetched; undefined if too many others wait, so the agent stays due. */
  refresh(address: Address, inTurn: InTurn): Promise<boolean | undefined>
  /** Decides when the documents are due again. */
  record(address: Address, isDone: boolean): Promise<void>
  onFault(error: unknown): void
  signal: AbortSignal
}): DocumentQueue {
  /** The agents that are being refreshed, and whether each has changed since that began. */
  const running = new Map<Address, { hasChanged: boolean }>()
  const [urgent, due] = [createTurns(), createTurns()]

  async function refreshOne(address: Address, inTurn: InTurn) {
    const state = { hasChanged: false }
    running.set(address, state)
    let isDone: boolean | undefined = false
    try {
      isDone = await refresh(address, inTurn)
    } catch (error) {
      if (!signal.aborted) onFault(error)
    }
    if (isDone !== undefined && !signal.aborted) await record(address, isDone).catch(onFault)
    running.delete(address)
    if (state.hasChanged) addFirst(address)
  }

  function addFirst(address: Address) {
    const known = running.get(address)
    if (known) known.hasChanged = true
    // If there is no room, the agent stays due in the store.
    else if (running.size < REFRESHES_MAX && !signal.aborted) void refreshOne(address, urgent)
  }

  async function startDue(): Promise<number> {
    if (running.size >= REFRESHES_MAX) return 0
    const found = await listDue(BATCH, [...running.keys()])
    for (const address of found) if (!running.has(address)) void refreshOne(address, due)
    return found.length
  }

  return {
    addFirst,
    async run() {
      while (!signal.aborted) {
        const startMs = performance.now()
        const count = await startDue().catch(error => {
          if (!signal.aborted) onFault(error)
          return 0
        })
        const restMs = count === 0 ? IDLE_MS : startMs + BATCH_MS_MIN - performance.now()
        if (restMs > 0) await pause(restMs, signal)
      }
    },
  }
}

/** The newest goes first, so that it doesn't wait when a thousand fetches fail at the same time. */
function createTurns(): InTurn {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (running < CONCURRENCY) running += 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.pop()
      if (next) next()
      else running -= 1
    }
  }
}
