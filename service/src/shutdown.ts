type Stop = () => Promise<unknown> | unknown

/** Every part of the service that must be stopped registers here. Parts stop in reverse order. */
export interface ShutdownList {
  /** After `timeoutMs` the next part is stopped anyway; sooner if all parts together would take too long. */
  add(name: string, stop: Stop, timeoutMs?: number): void
  run(): Promise<void>
}

const STOP_TIMEOUT_MS = 500
/** Service managers usually send SIGKILL after ten seconds. */
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
        // A part that doesn't stop must not keep the others from stopping.
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
