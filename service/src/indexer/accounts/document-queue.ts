import type { Address } from '@slipway/schema/address'
import pLimit from 'p-limit'
import { pause, untilAborted } from '../../lib/pause.ts'

/**
 * Fetches the documents of agents, a few at a time and at a bounded rate. Their hosts may be slow, and nothing waits
 * for them. The store knows which agents are due, so a restart forgets nothing.
 */
export interface DocumentQueue {
  /** Fetches the documents of an agent that has just changed, before those that are due. */
  addFirst(address: Address): void
  /** Fetches the documents that are due, until the signal. */
  run(): Promise<void>
}

const URGENT_CONCURRENCY = 3
const DUE_CONCURRENCY = 3
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
  listDue(count: number): Promise<Address[]>
  /** Returns whether the documents could be fetched. */
  refresh(address: Address): Promise<boolean>
  /** Decides when the documents are due again. */
  record(address: Address, isDone: boolean): Promise<void>
  onFault(error: unknown): void
  signal: AbortSignal
}): DocumentQueue {
  const urgent = new Set<Address>()
  const limitUrgent = pLimit(URGENT_CONCURRENCY)
  const limitDue = pLimit(DUE_CONCURRENCY)

  async function refreshOne(address: Address) {
    if (signal.aborted) return
    let isDone = false
    try {
      isDone = await refresh(address)
    } catch (error) {
      if (!signal.aborted) onFault(error)
    }
    if (!signal.aborted) await record(address, isDone).catch(onFault)
  }

  async function refreshDue(): Promise<number> {
    const due = await listDue(BATCH)
    const waiting = due.filter(address => !urgent.has(address))
    // A slow host must not delay shutdown.
    await untilAborted(Promise.all(waiting.map(address => limitDue(() => refreshOne(address)))), signal)
    return due.length
  }

  return {
    addFirst(address) {
      if (urgent.has(address)) return
      urgent.add(address)
      limitUrgent(async () => {
        // A change during the refresh needs another one.
        urgent.delete(address)
        await refreshOne(address)
      })
    },
    async run() {
      while (!signal.aborted) {
        const startMs = performance.now()
        const count = await refreshDue().catch(error => {
          if (!signal.aborted) onFault(error)
          return 0
        })
        const restMs = count === 0 ? IDLE_MS : startMs + BATCH_MS_MIN - performance.now()
        if (restMs > 0) await pause(restMs, signal)
      }
    },
  }
}
