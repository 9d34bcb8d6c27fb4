import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectPeer, type Peer } from '../lib/peer.ts'
import { OperatorError } from '../operator-error.ts'
import type { Log } from '../telemetry/log.ts'
import { WORKER_VARIABLE } from './worker-variable.ts'

/** A process that answers requests. */
export interface Worker extends Peer {
  /** Its place, from 1. The process that replaces it has the same. */
  number: number
  pid: number
}

export interface WorkerPool<Report> {
  /**
   * Starts the first worker alone, because it may have to prepare the store, and then the others. Resolves with what the
   * first one reports once it serves.
   */
  start(): Promise<Report>
  /** The workers that serve, by their places. A place is empty while its worker is being replaced. */
  serving(): Worker[]
  /** Hands a connection over. The same key goes to the same worker, as long as that serves. */
  handOver(socket: Socket, key: number): void
  /** Starts a new process for each worker, one after another, and stops the old one once the new one serves. */
  replaceAll(): Promise<void>
  /** Stops all workers after their open requests. */
  stop(): Promise<void>
}

interface PoolParts {
  count: number
  /** Of this process. */
  env: Record<string, string | undefined>
  log: Log
  /** Answers the workers' questions. */
  handlersOf(worker: () => Worker): Record<string, (input: never) => unknown>
  onServing(worker: Worker): void
  onEnded(worker: Worker): void
}

/** A worker that ended sooner than this may end again at once. */
const SHORT_LIFE_MS = 5_000
const RESTART_MS = 1_000
/** A client of a replaced worker has this long to see that its connection is about to close. */
const RETIRE_MS = 2_000
const STOP_MS = 6_000
/** Connections that wait while no worker serves. */
const WAITING_MAX = 1_000

/** Keeps a number of processes that serve, and replaces those that end. */
export function createWorkerPool<Report>(parts: PoolParts): WorkerPool<Report> {
  const { count, env, log, onServing, onEnded } = parts
  const places: (Worker | undefined)[] = Array.from({ length: count }, () => undefined)
  const processes = new Map<Worker, ChildProcess>()
  const retired = new WeakSet<Worker>()
  const waiting: { socket: Socket; key: number }[] = []
  let isStopping = false
  let replacing: Promise<void> = Promise.resolve()

  /** Resolves with what the worker reports once it serves. */
  function start(number: number): Promise<Report> {
    const startMs = performance.now()
    const child = fork(process.argv[1] as string, ['serve'], {
      env: { ...env, [WORKER_VARIABLE]: `${number}` },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    passOnLines(child, log)
    return new Promise((resolve, reject) => {
      let failure: Error = new Error(`worker ${number} exited before it was ready`)
      const peer = connectPeer(child, {
        ...parts.handlersOf(() => worker),
        failed(message: string) {
          failure = new OperatorError(message)
        },
        serving(report: Report) {
          hasServed = true
          const replaced = places[number - 1]
          places[number - 1] = worker
          onServing(worker)
          for (const { socket, key } of waiting.splice(0)) handOver(socket, key)
          if (replaced) void retire(replaced)
          resolve(report)
        },
      })
      const worker: Worker = { ...peer, number, pid: child.pid ?? 0 }
      let hasServed = false
      processes.set(worker, child)
      child.on('error', reject)
      child.on('disconnect', () => {
        if (places[number - 1] === worker) places[number - 1] = undefined
      })
      child.on('exit', (code, signal) => {
        processes.delete(worker)
        onEnded(worker)
        reject(failure)
        if (isStopping || !hasServed || retired.has(worker)) return
        log.error({ worker: number, pid: child.pid, code, signal }, 'a worker exited; starting another')
        void keepTrying(number, performance.now() - startMs < SHORT_LIFE_MS ? RESTART_MS : 0)
      })
    })
  }

  async function keepTrying(number: number, firstMs: number) {
    for (let waitMs = firstMs; !isStopping && !places[number - 1]; waitMs = RESTART_MS) {
      await sleep(waitMs)
      if (isStopping) return
      await start(number).catch(error => {
        if (!isStopping) log.error({ worker: number, err: error }, 'could not start a worker; retrying')
      })
    }
  }

  async function retire(worker: Worker) {
    retired.add(worker)
    worker.tell('drain')
    await sleep(RETIRE_MS)
    worker.tell('stop')
    await ended(worker)
  }

  /** Resolves when the process has ended. If it does not stop by itself, it is killed. */
  async function ended(worker: Worker) {
    const child = processes.get(worker)
    if (!child) return
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await new Promise(resolve => child.once('exit', resolve))
    clearTimeout(timer)
  }

  function handOver(socket: Socket, key: number) {
    const worker = findServing(key)
    if (worker)
      worker.tell('connection', undefined, socket, () => {
        // It ended just now.
        if (places[worker.number - 1] === worker) places[worker.number - 1] = undefined
        handOver(socket, key)
      })
    else if (waiting.length < WAITING_MAX && !isStopping) waiting.push({ socket, key })
    else socket.destroy()
  }

  function findServing(key: number): Worker | undefined {
    for (let at = 0; at < count; at += 1) {
      const worker = places[(key + at) % count]
      if (worker) return worker
    }
    return undefined
  }

  async function replaceEach() {
    for (let number = 1; number <= count && !isStopping; number += 1)
      await start(number).then(
        () => log.info({ worker: number }, 'replaced a worker'),
        error => log.error({ worker: number, err: error }, 'could not replace a worker; keeping the old one'),
      )
  }

  async function stop() {
    isStopping = true
    for (const { socket } of waiting.splice(0)) socket.destroy()
    const workers = [...processes.keys()]
    for (const worker of workers) worker.tell('stop')
    await Promise.all(workers.map(ended))
  }

  return {
    async start() {
      const report = await start(1)
      for (let number = 2; number <= count; number += 1) void keepTrying(number, 0)
      return report
    },
    serving: () => places.filter(worker => worker !== undefined),
    handOver,
    replaceAll() {
      // Another signal meanwhile replaces all of them once more.
      replacing = replacing.then(replaceEach)
      return replacing
    },
    stop,
  }
}

/** Whole lines only: those of several processes must not be mixed. */
function passOnLines(child: ChildProcess, log: Log) {
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) log.writeLines(rest + text.slice(0, end))
    rest = end > 0 ? text.slice(end) : rest + text
  })
}
