const WORK_MS = 100

/**
 * How many times longer work takes than on a machine of its own: the time that passes, divided by the processor time
 * that this process gets. 1 on a quiet machine.
 */
export function measureContention(): number {
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(startCpu)
    const cpuMs = (user + system) / 1_000
    if (cpuMs >= WORK_MS) return Math.max(1, (performance.now() - startMs) / cpuMs)
  }
}
