import type { Address } from '@slipway/schema/address'
import pLimit from 'p-limit'

/** Fetches the documents of agents, a few at a time. Their hosts may be slow, and nothing waits for them. */
export interface DocumentQueue {
  /** These go before those added with `add`. */
  addFirst(address: Address): void
  add(address: Address): void
}

const CONCURRENCY = 6

export function createDocumentQueue({
  refresh,
  onFault,
  signal,
}: {
  refresh(address: Address): Promise<void>
  onFault(error: unknown): void
  signal: AbortSignal
}): DocumentQueue {
  const urgent = new Set<Address>()
  const waiting = new Set<Address>()
  const limit = pLimit(CONCURRENCY)

  function takeNext(): Address | undefined {
    for (const queue of [urgent, waiting]) {
      for (const address of queue) {
        queue.delete(address)
        return address
      }
    }
    return undefined
  }

  async function refreshNext() {
    const address = signal.aborted ? undefined : takeNext()
    // A failure is not final: the agent is read again when a caller asks for it.
    if (address) await refresh(address).catch(onFault)
  }

  return {
    addFirst(address) {
      waiting.delete(address)
      urgent.add(address)
      limit(refreshNext)
    },
    add(address) {
      if (!urgent.has(address)) waiting.add(address)
      limit(refreshNext)
    },
  }
}
