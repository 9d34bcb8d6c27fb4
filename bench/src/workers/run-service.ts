import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** `slipway serve` in processes of its own. */
export interface RunningService {
  url: string
  /** All processes that serve: the first one, and the workers if there are several. */
  pids(): Promise<number[]>
  workers(): Promise<number[]>
  stop(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('../../bin/slipway.js', import.meta.url))
/** Four workers read all launches. */
const START_MS_MAX = 1_800_000

export async function runService(workers: number, env: Record<string, string>): Promise<RunningService> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: `${port}`,
      METRICS_PORT: `${metricsPort}`,
      WORKERS: `${workers}`,
      // The load comes from one address. As from a proxy, it goes to all workers.
      TRUST_PROXY: 'loopback',
      // Requests are counted, but none is refused.
      RATE_LIMIT_READS: '1000000000',
      SITE: 'off',
      ...env,
    },
  })
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${metricsPort}${path}`)).text()

  async function listWorkers(): Promise<number[]> {
    const text = await read('/metrics').catch(() => '')
    return [...text.matchAll(/^slipway_worker_info\{.*pid="(\d+)"/gm)].map(([, pid]) => Number(pid))
  }

  const isServing = async () =>
    workers === 1
      ? (await read('/readyz').catch(() => '')).includes('listings: ok')
      : (await listWorkers()).length === workers
  const deadlineMs = performance.now() + START_MS_MAX
  while (!(await isServing())) {
    if (child.exitCode !== null || performance.now() > deadlineMs) {
      child.kill()
      throw new Error('the service did not start')
    }
    await sleep(200)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    workers: listWorkers,
    pids: async () => [child.pid as number, ...(await listWorkers())],
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** CPU time of processes so far, in microseconds. */
export function readCpuMicros(pids: readonly number[]): number {
  const ticks = pids.map(pid => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  })
  // The kernel counts a hundred ticks a second on all common systems.
  return ticks.reduce((sum, count) => sum + count, 0) * 10_000
}

/** Memory of processes in MB. What several of them share counts once. */
export function readMegabytes(pids: readonly number[]): number {
  const kilobytes = pids.map(pid =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]),
  )
  return kilobytes.reduce((sum, count) => sum + count, 0) / 1_024
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
