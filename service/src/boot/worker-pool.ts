import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedClockMs } from '../lib/catch-up.ts'
import { resultWithin } from '../lib/deadline.ts'
import { connectPeer, type Peer, PeerGone } from '../lib/peer.ts'
import { OperatorError } from '../operator-error.ts'
import type { Log } from '../telemetry/log.ts'

/** Set by the process that starts workers, to the worker's number. Operators set WORKERS. */
export const WORKER_VARIABLE = 'SLIPWAY_WORKER'

/** A process that answers requests. Its questions reject with `PeerGone` while it is silent. */
export interface Worker extends Pick<Peer, 'ask' | 'tell'> {
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
  /** The workers that serve, by their places. A place is left out while its worker is silent or being replaced. */
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
  /** What a worker runs, with the argument `serve`. */
  program: string
  /** Of this process. */
  env: Record<string, string | undefined>
  log: Log
  /** Answers a worker's questions, until it ends. */
  handlersOf(worker: () => Worker): Record<string, (input: never) => unknown>
  /** The worker serves from now on, or again after it was silent. */
  onServing(worker: Worker): void
  onSilent(worker: Worker): void
  /** The worker has no more clients, but still answers. */
  onRetired(worker: Worker): Promise<unknown>
  onEnded(worker: Worker): void
  hungMs?: number
}

/** A connection that no worker has taken yet. */
interface Waiting {
  socket: Socket
  key: number
}

const WAITING_MAX = 1_000
/** A worker that has served for this long is replaced at once. */
const STABLE_MS = 10_000
/** Otherwise, the pause before the next attempt doubles, from the first to the second. */
const RESTART_MS_MIN = 1_000
const RESTART_MS_MAX = 30_000
/** A client of a replaced worker has this long to see that its connection is about to close. */
const RETIRE_MS = 2_000
const STOP_MS = 6_000
const PING_MS = 500
/**
 * A worker that has not answered a ping for this long is silent: it gets no connections, and nobody waits for it. The worker
 * itself notices earlier: see `CURRENT_MS`. One that answers that it can't read what it missed is silent, too.
 */
const SILENT_MS = 2_000
/** After this long without an answer, a worker is ended. Even on a busy machine, a working one answers sooner. */
const HUNG_MS = 30_000

/** A worker that comes back is pinged again before it gets connections, so that changes wait for it while it catches up. */
type Standing = 'serving' | 'back' | 'silent'

/** Keeps a number of processes that serve, and replaces those that end. */
export function createWorkerPool<Report>(parts: PoolParts): WorkerPool<Report> {
  const { count, program, env, log, onServing, onSilent, onRetired, onEnded, hungMs = HUNG_MS } = parts
  const places: (Worker | undefined)[] = Array.from({ length: count }, () => undefined)
  /** How many attempts in a row have failed, for each place. */
  const failures = places.map(() => 0)
  const processes = new Map<Worker, ChildProcess>()
  const standings = new WeakMap<Worker, Standing>()
  const retired = new WeakSet<Worker>()
  /** The version that start-up or SIGHUP last brought. A worker that replaces a crashed one must have the same. */
  let version: string | undefined
  const waiting: Waiting[] = []
  /** One connection for each worker: those behind it can still go to another. */
  const handed = new Map<Worker, Waiting>()
  let isStopping = false
  let onStarted = () => {}
  // A signal to replace the workers may come while the first ones start.
  let replacing: Promise<void> = new Promise(resolve => {
    onStarted = resolve
  })

  function handOut() {
    for (const one of waiting.splice(0)) {
      const worker = findServing(one.key)
      if (!worker || handed.has(worker)) waiting.push(one)
      else {
        handed.set(worker, one)
        worker.tell('connection', undefined, one.socket)
      }
    }
    for (const { socket } of waiting.splice(isStopping ? 0 : WAITING_MAX)) socket.destroy()
  }

  /** Closes the worker's connection here. If the worker has it, it stays open there. */
  function takenOver(worker: Worker) {
    handed.get(worker)?.socket.destroy()
    handed.delete(worker)
    handOut()
  }

  /** The worker has read nothing from its connection, so that can go to another. */
  function takeBack(worker: Worker) {
    const one = handed.get(worker)
    handed.delete(worker)
    if (one) waiting.unshift(one)
    handOut()
  }

  /** Pings a worker until it ends. The one place that decides whether others wait for it. */
  async function watch(worker: Worker, ping: () => Promise<boolean>, giveUp: () => void) {
    const fields = { worker: worker.number, pid: worker.pid }
    for (;;) {
      const answer = ping()
      let isCurrent = await resultWithin(SILENT_MS, answer)
      if (!processes.has(worker)) return
      const wasSilent = standings.get(worker) === 'silent'
      if (!isCurrent && !wasSilent) {
        const what = isCurrent === undefined ? 'does not answer' : 'cannot read what it missed'
        log.warn(fields, `a worker ${what}; the others take its clients`)
        standings.set(worker, 'silent')
        giveUp()
        takeBack(worker)
        onSilent(worker)
      }
      isCurrent ??= await resultWithin(hungMs - SILENT_MS, answer)
      if (!processes.has(worker)) return
      if (isCurrent === undefined) {
        log.error(fields, 'a worker hangs; ending it')
        return void processes.get(worker)?.kill('SIGKILL')
      }
      if (isCurrent && standings.get(worker) === 'silent') {
        log.info(fields, 'a worker answers again')
        standings.set(worker, 'back')
        onServing(worker)
        continue
      }
      if (isCurrent) {
        standings.set(worker, 'serving')
        handOut()
      }
      await sleep(PING_MS, undefined, { ref: false })
    }
  }

  /** Resolves with the worker's report once it serves. It may have a new version only if `mayUpgrade`. */
  async function start(number: number, { mayUpgrade = false } = {}): Promise<Report> {
    const child = fork(program, ['serve'], {
      env: { ...env, [WORKER_VARIABLE]: `${number}` },
      // A child that inherits a pipe would make our own writes to it block, for ever if nobody reads it.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
    passOnLines(child, log)
    child.stderr
      ?.setEncoding('utf8')
      .on('data', text => log.warn({ worker: number, text }, 'a worker wrote to standard error'))
    return new Promise((resolve, reject) => {
      let failure: Error = new Error(`worker ${number} exited before it was ready`)
      const peer = connectPeer(child, {
        ...whileAlive(parts.handlersOf(() => worker)),
        alive: (isCurrent: boolean) => onAlive(isCurrent),
        received: () => takenOver(worker),
        /** The worker must catch up first. It has read nothing from the connection. */
        refused() {
          if (standings.get(worker) === 'serving') standings.set(worker, 'back')
          takeBack(worker)
        },
        failed(message: string) {
          failure = new OperatorError(message)
        },
        version(installed: string) {
          ownVersion = installed
          if (mayUpgrade || version === undefined || installed === version) return
          failure = new OperatorError(
            `version ${installed} is installed, but the workers run ${version}: send SIGHUP, or restart the node`,
          )
          child.kill('SIGKILL')
        },
        serving(report: Report) {
          if (mayUpgrade) version = ownVersion
          servingSinceMs = performance.now()
          const replaced = places[number - 1]
          places[number - 1] = worker
          standings.set(worker, 'back')
          onServing(worker)
          void watch(worker, ping, peer.giveUp)
          if (replaced) void retire(replaced)
          resolve(report)
        },
      })
      const worker: Worker = {
        ask: async (name, input) => {
          if (standings.get(worker) === 'silent') throw new PeerGone()
          return peer.ask(name, input)
        },
        tell: peer.tell,
        number,
        pid: child.pid ?? 0,
      }
      let onAlive = (_isCurrent: boolean) => {}
      const ping = () =>
        new Promise<boolean>(resolve => {
          onAlive = resolve
          peer.tell('ping', sharedClockMs())
        })
      let servingSinceMs: number | undefined
      let ownVersion: string | undefined
      processes.set(worker, child)
      const leave = () => {
        if (places[number - 1] === worker) places[number - 1] = undefined
        // It may have begun to read its connection.
        takenOver(worker)
      }
      child.on('error', error => {
        // It could not be started, so it won't exit either.
        if (child.pid === undefined) processes.delete(worker)
        reject(error)
      })
      child.on('disconnect', leave)
      child.on('exit', (code, signal) => {
        processes.delete(worker)
        onAlive(false)
        leave()
        onEnded(worker)
        reject(failure)
        if (isStopping || servingSinceMs === undefined || retired.has(worker)) return
        const pauseMs = planPause(number, performance.now() - servingSinceMs >= STABLE_MS)
        const fields = { worker: number, pid: child.pid, code, signal, pauseSeconds: pauseMs / 1_000 }
        log.error(fields, 'a worker exited; starting another')
        void keepTrying(number, pauseMs)
      })

      /** What arrives after a worker's end must not be counted for it. */
      function whileAlive(handlers: Record<string, (input: never) => unknown>) {
        return Object.fromEntries(
          Object.entries(handlers).map(([name, handle]) => [
            name,
            (input: never) => (processes.has(worker) ? handle(input) : undefined),
          ]),
        )
      }
    })
  }

  async function keepTrying(number: number, firstPauseMs: number) {
    for (let pauseMs = firstPauseMs; ; ) {
      await sleep(pauseMs, undefined, { ref: false })
      // Meanwhile, SIGHUP may have started one.
      if (isStopping || places[number - 1]) return
      try {
        return void (await start(number))
      } catch (error) {
        if (isStopping) return
        pauseMs = planPause(number, false)
        const fields = { worker: number, err: error, pauseSeconds: pauseMs / 1_000 }
        log.error(fields, 'could not start a worker; retrying')
      }
    }
  }

  function planPause(number: number, wasStable: boolean): number {
    const failed = wasStable ? 0 : (failures[number - 1] ?? 0) + 1
    failures[number - 1] = failed
    return failed === 0 ? 0 : Math.min(RESTART_MS_MIN * 2 ** (failed - 1), RESTART_MS_MAX)
  }

  async function retire(worker: Worker) {
    retired.add(worker)
    worker.tell('drain')
    await sleep(RETIRE_MS)
    await onRetired(worker)
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

  function findServing(key: number): Worker | undefined {
    for (let at = 0; at < count; at += 1) {
      const worker = places[(key + at) % count]
      if (worker && standings.get(worker) === 'serving') return worker
    }
    return undefined
  }

  async function replaceEach() {
    for (let number = 1; number <= count && !isStopping; number += 1)
      await start(number, { mayUpgrade: true }).then(
        () => log.info({ worker: number }, 'replaced a worker'),
        error => log.error({ worker: number, err: error }, 'could not replace a worker; keeping the old one'),
      )
  }

  async function stop() {
    isStopping = true
    handOut()
    const workers = [...processes.keys()]
    for (const worker of workers) worker.tell('stop')
    await Promise.all(workers.map(ended))
  }

  return {
    async start() {
      const report = await start(1, { mayUpgrade: true })
      for (let number = 2; number <= count; number += 1) void keepTrying(number, 0)
      onStarted()
      return report
    },
    serving: () =>
      places.filter(worker => worker !== undefined).filter(worker => standings.get(worker) !== 'silent'),
    handOver(socket, key) {
      // It is not read here, so nothing else would notice.
      socket.on('error', () => {})
      waiting.push({ socket, key })
      handOut()
    },
    replaceAll() {
      // A signal that arrives meanwhile starts another round.
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
