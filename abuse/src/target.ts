import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { DemoChain } from './chain-process.ts'
import { type Forwarder, startForwarder } from './forwarder.ts'
import { createClient } from './http-client.ts'
import { UNLIMITED } from './unlimited.ts'

/** A service of its own for the attacks, with a real PostgreSQL, on a chain in another process. */
export interface Target {
  readonly port: number
  readonly chain: DemoChain
  readonly rpc: Forwarder
  /** Starts the service again with these variables beside the usual ones. */
  restart(environment?: Record<string, string>, signal?: NodeJS.Signals): Promise<void>
  /** Starts the process and returns at once; `waitUntilReady` waits for it. */
  start(environment?: Record<string, string>): void
  waitUntilReady(): Promise<void>
  /** Sends a signal and waits for the process to end. */
  stop(signal?: NodeJS.Signals): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** Ends the thread that renders pages. Resolves when the thread has been told. */
  killPageThread(): Promise<void>
  freezeDatabase(): void
  resumeDatabase(): void
  residentMegabytes(): number
  close(): Promise<void>
}

/** The first start also builds the service, which takes minutes on a busy machine. */
const START_MS = 240_000

interface TargetOptions {
  checkout: string
  /** A folder with a demo to copy, which takes less time than a new one. */
  world: string | undefined
  activity: boolean
}

export async function startTarget({ checkout, world, activity }: TargetOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-abuse-'))
  if (world) await cp(world, join(folder, 'chain'), { recursive: true })
  const chainProcess = fork(
    fileURLToPath(new URL('main.js', import.meta.url)),
    ['chain', join(folder, 'chain'), `${activity}`],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  const chain = await new Promise<DemoChain>((resolve, reject) => {
    chainProcess.once('message', message => resolve(message as DemoChain))
    chainProcess.once('exit', code => reject(new Error(`the chain exited with code ${code}`)))
  })
  const rpc = await startForwarder(Number(new URL(chain.rpcUrl).port))
  const port = await findFreePort()
  const pageThreadKiller = await writePageThreadKiller(folder)
  const dataDir = join(folder, 'service')
  const secret = randomBytes(32).toString('hex')
  let service: ChildProcess | undefined
  let log = ''

  const target: Target = {
    port,
    chain,
    rpc,
    start(environment = {}) {
      log = ''
      const child = spawn(
        process.execPath,
        ['--require', pageThreadKiller.script, join(checkout, 'service/bin/slipway.js'), 'serve'],
        {
          cwd: checkout,
          stdio: ['ignore', 'pipe', 'pipe'],
          env: {
            PATH: process.env.PATH,
            PORT: `${port}`,
            DATA_DIR: dataDir,
            RPC_URL_MAINNET: `http://127.0.0.1:${rpc.port}`,
            RPC_WS_URL_MAINNET: chain.wsUrl,
            RPC_URL_DEVNET: chain.devnet.rpcUrl,
            RPC_WS_URL_DEVNET: chain.devnet.wsUrl,
            SOCIAL_API_URL: chain.socialUrl,
            SOCIAL_TOKEN_SECRET: secret,
            METADATA_ALLOW_HOSTS: chain.documentsHost,
            LOG_LEVEL: 'error',
            ...environment,
          },
        },
      )
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', chunk => {
          log = (log + chunk).slice(-10_000)
        })
      service = child
    },
    async waitUntilReady() {
      const client = createClient(port, { localAddress: '127.9.9.9', keepAlive: false })
      const deadline = Date.now() + START_MS
      for (;;) {
        const isReady = await client
          .send('GET', '/readyz', { timeoutMs: 5_000 })
          .then(({ status }) => status === 200)
          .catch(() => false)
        if (isReady) return
        if (Date.now() > deadline || service?.exitCode !== null)
          throw new Error(`the service did not start:\n${log}`)
        await sleep(100)
      }
    },
    async restart(environment, signal) {
      await target.stop(signal)
      target.start(environment)
      await target.waitUntilReady()
    },
    signal: signal => void service?.kill(signal),
    async stop(signal = 'SIGTERM') {
      if (!service || service.exitCode !== null || service.signalCode !== null) return
      const ended = new Promise(resolve => service?.once('exit', resolve))
      service.kill(signal)
      await ended
    },
    killPageThread: pageThreadKiller.kill,
    freezeDatabase: () => signalDatabase(dataDir, 'SIGSTOP'),
    resumeDatabase: () => signalDatabase(dataDir, 'SIGCONT'),
    residentMegabytes() {
      const status = readFileSync(`/proc/${service?.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024
    },
    async close() {
      await target.stop()
      rpc.close()
      chainProcess.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  target.start(UNLIMITED)
  await target.waitUntilReady()
  await registerLaunches(target)
  return target
}

async function registerLaunches({ port, chain }: Target) {
  const client = createClient(port)
  await Promise.all(chain.registrations.map(body => client.send('POST', '/v1/launches/register', { body })))
  client.close()
}

const KILL_POLL_MS = 20

/**
 * A script for the service to load first. In the thread that renders pages, it waits for a file and then ends the
 * thread.
 */
async function writePageThreadKiller(folder: string) {
  const script = join(folder, 'page-thread-killer.cjs')
  const trigger = join(folder, 'kill-page-thread')
  await writeFile(
    script,
    `const { isMainThread, workerData } = require('node:worker_threads')
const { rmSync } = require('node:fs')
const kill = () => {
  try {
    rmSync(${JSON.stringify(trigger)})
  } catch {
    return
  }
  process.exit(1)
}
if (!isMainThread && workerData?.settings) setInterval(kill, ${KILL_POLL_MS}).unref()
`,
  )
  return {
    script,
    async kill() {
      await writeFile(trigger, '')
      while (existsSync(trigger)) await sleep(KILL_POLL_MS)
    },
  }
}

/** Signals the embedded PostgreSQL: the first process and everything that it started. */
function signalDatabase(dataDir: string, signal: NodeJS.Signals) {
  const postmaster = Number(readFileSync(join(dataDir, 'db/postmaster.pid'), 'utf8').split('\n', 1)[0])
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  for (const pid of [postmaster, ...children.trim().split(' ').filter(Boolean).map(Number)]) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended in the meantime.
    }
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
