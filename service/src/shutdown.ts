type Stop = () => Promise<unknown> | unknown

/** Everything that was started registers here and is stopped in the opposite order. */
export interface ShutdownList {
  /** `timeoutMs`: how long the others wait for this one, or less when all of them together would take too long. */
  add(name: string, stop: Stop, timeoutMs?: number): void
  run(): Promise<void>
}

const STOP_TIMEOUT_MS = 500
/** Whoever stops a service waits ten seconds and then kills it. */
const ALL_STOPPED_MS = 9_500

export function createShutdownList(
  onFailure: (name: string, error: unknown) => void,
  allStoppedMs = ALL_STOPPED_MS,
): ShutdownList {
  const stops: { name: string; stop: Stop; timeoutMs: number }[] = []
  let running: Promise<void> | undefined

  async function stopAll() {
    const endMs = performance.now() + allStoppedMs
    for (;;) {
      const wantedMs = stops.reduce((sum, { timeoutMs }) => sum + timeoutMs, 0)
      const part = stops.pop()
      if (!part) return
      try {
        const share = Math.min(1, Math.max(0, endMs - performance.now()) / wantedMs)
        await within(Math.round(part.timeoutMs * share), part.stop)
      } catch (error) {
        // One part that will not stop must not keep the others from stopping.
        onFailure(part.name, error)
      }
    }
  }

  return {
    add(name, stop, timeoutMs = STOP_TIMEOUT_MS) {
      stops.push({ name, stop, timeoutMs })
    },
    run() {
      running ??= stopAll()
      return running
    },
  }
}

async function within(timeoutMs: number, stop: Stop): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not stop within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    await Promise.race([stop(), late])
  } finally {
    clearTimeout(timer)
  }
}
