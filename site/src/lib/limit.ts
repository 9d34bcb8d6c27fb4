/** Runs at most `max` tasks at a time, the latest first: what has just become visible matters most. */
export function createLimit(max: number) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function run<Value>(signal: AbortSignal, task: () => Promise<Value>): Promise<Value> {
    if (running < max) running += 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      signal.throwIfAborted()
      return await task()
    } finally {
      const next = waiting.pop()
      // The next task takes over this slot. If the slot became free first, a newly arriving task could take it too.
      if (next) next()
      else running -= 1
    }
  }
}
