import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ChainRequest, DemoChain } from './chain-process.ts'
import { createClient } from './client.ts'

/** A service of its own for the attacks, with a real PostgreSQL, on a chain in another process. */
export interface Target {
  readonly port: number
  readonly chain: DemoChain
  readonly rpc: Forwarder
  /** Resolves with the signatures of what the chain did. */
  ask(request: ChainRequest): Promise<string[]>
  close(): Promise<void>
}

/** The address of the proxy that the service trusts. */
export const PROXY = '127.0.0.200'
/** The first start also builds the service, which takes minutes on a busy machine. */
const START_MS = 240_000
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** With `world`, a folder with a demo, the chain is a copy of that, which takes less time than a new one. */
export async function startTarget(world: string | undefined): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-abuse-'))
  if (world) await cp(world, join(folder, 'chain'), { recursive: true })
  const chainProcess = fork(
    fileURLToPath(new URL('main.js', import.meta.url)),
    ['chain', join(folder, 'chain')],
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
  const service = spawn(process.execPath, [join(root, 'service/bin/slipway.js'), 'serve'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: `${port}`,
      DATA_DIR: join(folder, 'service'),
      RPC_URL_MAINNET: `http://127.0.0.1:${rpc.port}`,
      RPC_WS_URL_MAINNET: chain.wsUrl,
      SOCIAL_API_URL: chain.socialUrl,
      SOCIAL_TOKEN_SECRET: randomBytes(32).toString('hex'),
      METADATA_ALLOW_HOSTS: chain.documentsHost,
      PUBLIC_URL: 'https://slipway.example',
      TRUST_PROXY: PROXY,
      // Mints are refused for the size of their documents, not for their number.
      RATE_LIMIT_WRITES: '0',
      LOG_LEVEL: 'error',
    },
  })
  const close = async () => {
    if (service.exitCode === null && service.signalCode === null) {
      const ended = new Promise(resolve => service.once('exit', resolve))
      service.kill()
      await ended
    }
    rpc.close()
    chainProcess.kill()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilReady(service, port)
    await registerLaunches(port, chain)
  } catch (error) {
    await close()
    throw error
  }
  let asked = 0
  const ask = (request: ChainRequest) => {
    asked += 1
    const id = asked
    return new Promise<string[]>(resolve => {
      const onAnswer = (answer: { id: number; signatures: string[] }) => {
        if (answer.id !== id) return
        chainProcess.off('message', onAnswer)
        resolve(answer.signatures)
      }
      chainProcess.on('message', onAnswer)
      chainProcess.send({ id, request })
    })
  }
  return { port, chain, rpc, ask, close }
}

async function untilReady(service: ChildProcess, port: number) {
  let log = ''
  for (const stream of [service.stdout, service.stderr])
    stream?.on('data', chunk => {
      log = (log + chunk).slice(-10_000)
    })
  const client = createClient(port, { localAddress: '127.9.9.9', keepAlive: false })
  for (const deadline = Date.now() + START_MS; ; await sleep(100)) {
    const isReady = await client.send('GET', '/readyz', { timeoutMs: 5_000 }).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isReady) return
    if (Date.now() > deadline || service.exitCode !== null)
      throw new Error(`the service did not start:\n${log}`)
  }
}

async function registerLaunches(port: number, chain: DemoChain) {
  const client = createClient(port)
  await Promise.all(chain.registrations.map(body => client.send('POST', '/v1/launches/register', { body })))
  client.close()
}

/** Sits between the service and its RPC, counts calls, and can stop answering without closing a connection. */
interface Forwarder {
  readonly port: number
  hang(): void
  /** Each answer comes this much later, until this is called with 0. */
  slow(ms: number): void
  /** How often this was asked for. */
  count(method: string, first: string): number
  resume(): void
  close(): void
}

/** A JSON-RPC request whose first parameter is a text. */
const REQUEST = /"method":"(\w+)","params":\["([^"]*)"/g

async function startForwarder(toPort: number): Promise<Forwarder> {
  const sockets = new Set<Socket>()
  const requests = new Map<string, number>()
  let isHanging = false
  let answersAfterMs = 0
  const closeAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const note = (chunk: Buffer) => {
    for (const [, method, first] of chunk.toString().matchAll(REQUEST)) {
      const key = `${method} ${first}`
      requests.set(key, (requests.get(key) ?? 0) + 1)
    }
  }
  const forward = (from: Socket, to: Socket, delayMs = () => 0) => {
    sockets.add(from)
    from.on('data', chunk => {
      if (isHanging) return
      const ms = delayMs()
      if (ms === 0) to.write(chunk)
      else setTimeout(() => to.write(chunk), ms)
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer(socket => {
    const upstream = connect(toPort, '127.0.0.1')
    socket.on('data', note)
    forward(socket, upstream)
    forward(upstream, socket, () => answersAfterMs)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    hang() {
      isHanging = true
    },
    slow(ms) {
      answersAfterMs = ms
    },
    count: (method, first) => requests.get(`${method} ${first}`) ?? 0,
    resume() {
      isHanging = false
      // Bytes were dropped, so these connections can't be used any more.
      closeAll()
    },
    close() {
      server.close()
      closeAll()
    },
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

export interface Attack {
  name: string
  /** The short form, for `npm run test:all`, is the same attack with less of everything. */
  run(target: Target, isShort: boolean): Promise<Figure[]>
}

/** One measured value. With a limit, the attack fails when the value exceeds it. */
export interface Figure {
  what: string
  value: number
  unit: 'ms' | 'requests' | 'answers' | 'MB' | 'times'
  atMost?: number
  /** What happened, if the number alone doesn't show it. */
  detail?: string
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
