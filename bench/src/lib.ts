import { fork, spawnSync } from 'node:child_process'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/** A fresh process that carries out one task after another. */
export interface Child {
  call<T>(name: string, input: unknown): Promise<T>
  stop(): void
}

interface Reply {
  result?: unknown
  error?: string
}

/**
 * Starts a process, pinned to `core` if the system supports that: a load must not share a core with what it measures.
 */
export function startChild(core?: number): Child {
  const pin = core !== undefined && canPin() ? ['taskset', '--cpu-list', `${core}`, process.execPath] : []
  const [execPath = process.execPath, ...execArgv] = pin
  const child = fork(fileURLToPath(new URL('main.js', import.meta.url)), ['child'], {
    // Its log is written, but discarded by the system.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execPath,
    execArgv: [...execArgv, '--expose-gc'],
  })
  return {
    call: <T>(name: string, input: unknown) =>
      new Promise<T>((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`${name} exited with code ${code}`))
        child.once('exit', onExit)
        child.once('message', ({ result, error }: Reply) => {
          child.off('exit', onExit)
          if (error) reject(new Error(error))
          else resolve(result as T)
        })
        child.send({ name, input })
      }),
    stop: () => child.kill('SIGKILL'),
  }
}

const canPin = () => availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** Runs in the child and answers the calls of the parent. */
export function answerCalls(tasks: Record<string, (input: never) => Promise<unknown>>): void {
  process.on('message', async ({ name, input }: { name: string; input: never }) => {
    try {
      process.send?.({ result: await tasks[name]?.(input) })
    } catch (error) {
      process.send?.({ error: error instanceof Error ? error.stack : String(error) })
    }
  })
  process.on('disconnect', () => process.exit())
}

export interface Usage {
  cpuMicros: number
  megabytes: number
  peakMegabytes: number
}

/** The CPU time of the process so far, and its memory now and at its peak. */
export async function usage(): Promise<Usage> {
  const { user, system } = process.cpuUsage()
  return {
    cpuMicros: user + system,
    megabytes: process.memoryUsage.rss() / 2 ** 20,
    peakMegabytes: process.resourceUsage().maxRSS / 1_024,
  }
}

/** How often two sides are compared. The order alternates, so that neither always comes first. */
export const TURNS = 6

/**
 * Runs a task once per turn, each time in a fresh process. The task gets its input and whether the reference goes
 * first.
 */
export async function measureInTurns<T>(task: string, input: unknown): Promise<T[]> {
  const results: T[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    const child = startChild()
    results.push(await child.call<T>(task, [input, turn % 2 === 0]))
    child.stop()
  }
  return results
}

export interface LoadOptions {
  port: number
  request: string
  connections: number
  seconds: number
  warmUpSeconds: number
}

export interface LoadResult {
  /** Responses per second during the measurement, including the received parts of unfinished ones. */
  perSecond: number
  /** The number of all responses, including the warm-up. */
  responses: number
}

const READ_BYTES = 1024 * 1024

/**
 * Keeps `connections` busy with one request each and counts whole responses. Runs in a process of its own.
 */
export async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  let responses = 0
  let counted = 0
  let isCounting = false
  const sockets = Array.from({ length: options.connections }, () => {
    let bodyLeft = -1
    let bodyLength = 0
    let head = ''
    const read = (chunk: Buffer) => {
      let offset = 0
      while (offset < chunk.length) {
        if (bodyLeft < 0) {
          const text = head + chunk.toString('latin1', offset, Math.min(chunk.length, offset + 4_096))
          const end = text.indexOf('\r\n\r\n')
          if (end === -1) {
            head = text
            return
          }
          offset += end + 4 - head.length
          head = ''
          const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))
          bodyLength = length && !text.startsWith('HTTP/1.1 304') ? Number(length[1]) : 0
          bodyLeft = bodyLength
        }
        const taken = Math.min(bodyLeft, chunk.length - offset)
        bodyLeft -= taken
        offset += taken
        // Large responses are few, so an unfinished one counts for the part that has arrived.
        if (isCounting) counted += bodyLength > 0 ? taken / bodyLength : 1
        if (bodyLeft === 0) {
          bodyLeft = -1
          responses += 1
          socket.write(options.request)
        }
      }
    }
    const socket = connect({
      port: options.port,
      host: '127.0.0.1',
      noDelay: true,
      // Reads into the same buffer every time, because the load must cost less than what it measures.
      onread: {
        buffer,
        callback(bytes) {
          read(buffer.subarray(0, bytes))
          return true
        },
      },
    })
    socket.on('connect', () => socket.write(options.request))
    socket.on('error', error => {
      throw error
    })
    return socket
  })
  await pause(options.warmUpSeconds)
  isCounting = true
  const start = performance.now()
  await pause(options.seconds)
  isCounting = false
  const seconds = (performance.now() - start) / 1_000
  for (const socket of sockets) socket.destroy()
  return { perSecond: counted / seconds, responses }
}

const pause = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1_000))

export interface ChildServer {
  child: Child
  port: number
}

export interface LoadSample {
  perSecond: number
  /** The server's CPU time per response. */
  cpuMicros: number
}

/** Loads a server from another process and measures the server's rate and CPU time. */
export async function measureLoad(
  load: Child,
  { child, port }: ChildServer,
  options: Omit<LoadOptions, 'port'>,
): Promise<LoadSample> {
  const before = await child.call<Usage>('usage', null)
  const { perSecond, responses } = await load.call<LoadResult>('generateLoad', { port, ...options })
  const after = await child.call<Usage>('usage', null)
  return { perSecond, cpuMicros: (after.cpuMicros - before.cpuMicros) / responses }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** As Markdown, so that it can be pasted into the documentation. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  process.stdout.write(
    `\n### ${title}\n\n${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`,
  )
}

/** Starts the server on a free port and returns the port. */
export function listen(server: Server): Promise<number> {
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}
