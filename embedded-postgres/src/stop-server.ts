import { until } from './session.ts'

// Fast, then immediate (the next start recovers from the log), then by force: in all less than the three seconds that
// a service which stops has for it.
const steps: [NodeJS.Signals, number][] = [
  ['SIGINT', 2_000],
  ['SIGQUIT', 400],
  ['SIGKILL', 400],
]

/** Stops a server in bounded time; nothing that was committed is lost in any of the steps. */
export async function stopServer(pid: number, isRunning: () => Promise<boolean> | boolean): Promise<boolean> {
  for (const [signal, waitMs] of steps) {
    if (!(await isRunning())) return true
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
    if (await until(waitMs, async () => !(await isRunning()), 15)) return true
  }
  return false
}
