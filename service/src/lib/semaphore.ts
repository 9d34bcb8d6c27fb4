interface Semaphore {
  /** `full`: too many callers wait already. `aborted`: the signal came before a permit was free. */
  acquire(signal: AbortSignal): Promise<'acquired' | 'full' | 'aborted'>
  /** Call it once for every permit that was acquired. */
  release(): void
}

/** Hands out a number of permits, first come, first served, to a bounded number of waiting callers. */
export function createSemaphore({ permits, waitingMax }: { permits: number; waitingMax: number }): Semaphore {
  let free = permits
  const waiting = new Set<() => void>()
  return {
    acquire(signal) {
      if (signal.aborted) return Promise.resolve('aborted')
      if (free > 0) {
        free -= 1
        return Promise.resolve('acquired')
      }
      if (waiting.size >= waitingMax) return Promise.resolve('full')
      return new Promise(resolve => {
        const abort = () => {
          waiting.delete(take)
          resolve('aborted')
        }
        const take = () => {
          signal.removeEventListener('abort', abort)
          resolve('acquired')
        }
        waiting.add(take)
        signal.addEventListener('abort', abort, { once: true })
      })
    },
    release() {
      const [next] = waiting
      if (!next) {
        free += 1
        return
      }
      waiting.delete(next)
      next()
    },
  }
}
