export interface Gate {
  /** `full`: so many wait that one more would only be late. `gave up`: the signal came before a slot was free. */
  enter(signal: AbortSignal): Promise<'in' | 'full' | 'gave up'>
  /** Owed once by whoever came in. */
  leave(): void
}

/** Lets so many in at a time and so many wait, first come, first served. */
export function createGate({ slots, waitingMax }: { slots: number; waitingMax: number }): Gate {
  let free = slots
  const waiting = new Set<() => void>()
  return {
    enter(signal) {
      if (free > 0) {
        free -= 1
        return Promise.resolve('in')
      }
      if (waiting.size >= waitingMax) return Promise.resolve('full')
      return new Promise(resolve => {
        const goIn = () => resolve('in')
        waiting.add(goIn)
        // Also called when it has long gone in; then it changes nothing.
        signal.addEventListener('abort', () => {
          waiting.delete(goIn)
          resolve('gave up')
        })
      })
    },
    leave() {
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
