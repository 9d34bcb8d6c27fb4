/** Runs at most `max` tasks at a time, the latest first: what has just become visible matters most. */
export function createLimit(max: number) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function run<Value>(signal: AbortSignal, task: () => Promise<Value>): Promise<Value> {
    if (running >= max) await new Promise<void>(resolve => waiting.push(resolve))
    running += 1
    try {
      signal.throwIfAborted()
      return await task()
    } finally {
      running -= 1
      waiting.pop()?.()
    }
  }
}
