import type { Address } from '@slipway/schema/address'

/** Agents whose documents have to be read, a few at a time: strangers' hosts are slow, and nothing waits for them here. */
export interface DocumentQueue {
  /** In front of those that merely have never been read. */
  addFirst(address: Address): void
  add(address: Address): void
}

const AT_ONCE = 6

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
  let running = 0

  function next(): Address | undefined {
    for (const queue of [urgent, waiting]) {
      for (const address of queue) {
        queue.delete(address)
        return address
      }
    }
    return undefined
  }

  async function work() {
    running += 1
    for (let address = next(); address && !signal.aborted; address = next()) {
      // It is read again when somebody asks for it, so that a failure here is not the end.
      await refresh(address).catch(onFault)
    }
    running -= 1
  }

  function start() {
    if (running < AT_ONCE) work()
  }

  return {
    addFirst(address) {
      waiting.delete(address)
      urgent.add(address)
      start()
    },
    add(address) {
      if (!urgent.has(address)) waiting.add(address)
      start()
    },
  }
}
