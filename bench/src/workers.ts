import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listen, median, printTable } from './lib.ts'
import { generateLaunches, withStore } from './sample-store.ts'

const TURNS = 5
const SECONDS = 5
const CONNECTIONS = 64
const SETTLE_MS = 30_000
/** Creating the launches takes a while. */
const GENERATING = { statementMs: 600_000 }

/** Compares one process with several workers: reads of an agent, and memory. */
export async function benchWorkers([launches = '100000']: string[]): Promise<void> {
  if (spawnSync('wrk', ['--version']).error) {
    process.stdout.write('\nwrk is not installed: the workers are not measured\n')
    return
  }
  await withDemo(1, one => withDemo(2, two => compareReads(one, two)))
  if (launches !== '0') await compareMemory(Number(launches))
}

interface Demo extends RunningService {
  agentUrl: string
}

/** A service with everything embedded, which has an agent to read. */
async function withDemo(workers: number, work: (demo: Demo) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  const chainPort = 20_000 + ((await freePort()) % 10_000)
  const service = await runService(workers, { DATA_DIR: dataDir, LOCAL_CHAIN_PORT: `${chainPort}` })
  try {
    const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
    const agentUrl = `${service.url}/v1/agents/${demo.networks['chain-mainnet'].agents[0].address}`
    await work({ ...service, agentUrl })
  } finally {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface Load {
  perSecond: number
  cpuMicros: number
}

async function measure({ agentUrl, pids }: Demo): Promise<Load> {
  const processes = await pids()
  const before = readCpuMicros(processes)
  const { responses, perSecond } = await runWrk(agentUrl, SECONDS)
  return { perSecond, cpuMicros: (readCpuMicros(processes) - before) / responses }
}

async function compareReads(one: Demo, two: Demo): Promise<void> {
  for (const demo of [one, two]) await runWrk(demo.agentUrl, 3)
  const turns: { one: Load; two: Load }[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    const order = turn % 2 === 0 ? ([one, two] as const) : ([two, one] as const)
    const [first, second] = [await measure(order[0]), await measure(order[1])]
    turns.push(turn % 2 === 0 ? { one: first, two: second } : { one: second, two: first })
  }
  const of = (pick: (turn: { one: Load; two: Load }) => number) => median(turns.map(pick))
  printTable(
    'Reads of an agent, one process and two workers',
    ['', 'one process', 'two workers', 'ratio'],
    [
      [
        'responses per second',
        of(turn => turn.one.perSecond).toFixed(0),
        of(turn => turn.two.perSecond).toFixed(0),
        of(turn => turn.two.perSecond / turn.one.perSecond).toFixed(2),
      ],
      [
        'CPU per request, all processes',
        `${of(turn => turn.one.cpuMicros).toFixed(0)} µs`,
        `${of(turn => turn.two.cpuMicros).toFixed(0)} µs`,
        of(turn => turn.two.cpuMicros / turn.one.cpuMicros).toFixed(2),
      ],
    ],
  )
}

async function compareMemory(launches: number): Promise<void> {
  const rpc = createServer((_request, response) => response.writeHead(500).end())
  const rpcUrl = `http://127.0.0.1:${await listen(rpc)}`
  const rows: string[][] = []
  await withStore(async (database, connection) => {
    await generateLaunches(database, launches, { search: false })
    for (const workers of [1, 2, 4]) {
      const dataDir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
      const service = await runService(workers, {
        DATABASE_URL: toUrl(connection),
        DATA_DIR: dataDir,
        RPC_URL_MAINNET: rpcUrl,
        INDEXER: 'off',
        SOCIAL_TOKEN_SECRET: 'a secret that only the bench knows',
      })
      // Until Brotli is ready and what the start needed is given back.
      await sleep(SETTLE_MS)
      const pids = await service.pids()
      const cpuSeconds = readCpuMicros(pids) / 1e6
      rows.push([
        `${workers}`,
        `${pids.length}`,
        `${readMegabytes(pids).toFixed(0)} MB`,
        `${cpuSeconds.toFixed(1)} s`,
      ])
      await service.stop()
      await rm(dataDir, { recursive: true })
    }
  }, GENERATING)
  rpc.close()
  printTable(
    `Memory with ${launches} launches`,
    ['workers', 'processes', 'memory', 'CPU time until then'],
    rows,
  )
}

const toUrl = (connection: object) => {
  const { host, port, user, database } = connection as Record<string, string>
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`
}

async function runWrk(url: string, seconds: number) {
  const { stdout } = await promisify(execFile)('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, url])
  const find = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0)
  return { responses: find(/(\d+) requests in/), perSecond: find(/Requests\/sec:\s+([\d.]+)/) }
}

/** `slipway serve` in processes of its own. */
interface RunningService {
  url: string
  /** All processes that serve: the first one, and the workers if there are several. */
  pids(): Promise<number[]>
  workers(): Promise<number[]>
  stop(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('../../bin/slipway.js', import.meta.url))
/** Four workers read all launches. */
const START_MS_MAX = 1_800_000

async function runService(workers: number, env: Record<string, string>): Promise<RunningService> {
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
function readCpuMicros(pids: readonly number[]): number {
  const ticks = pids.map(pid => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  })
  // The kernel counts a hundred ticks a second on all common systems.
  return ticks.reduce((sum, count) => sum + count, 0) * 10_000
}

/** Memory of processes in MB. What several of them share counts once. */
function readMegabytes(pids: readonly number[]): number {
  const kilobytes = pids.map(pid =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]),
  )
  return kilobytes.reduce((sum, count) => sum + count, 0) / 1_024
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  server.close()
  await once(server, 'close')
  return port
}
