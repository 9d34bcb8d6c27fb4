import { setTimeout as sleep } from 'node:timers/promises'
import { NETWORKS } from '@slipway/schema/network'
import { openPort } from '../app/open-port.ts'
import type { ChainsThread } from '../boot/load-chains.ts'
import { loadSite } from '../boot/load-site.ts'
import { createProgress, type Progress } from '../boot/progress.ts'
import { assertSocialSecret } from '../boot/social-settings.ts'
import { assertLocalPortsFree, startLocalChains } from '../boot/start-local-chains.ts'
import { formatStartFields, formatStartScreen, type StartReport } from '../boot/start-report.ts'
import { WORKER_VARIABLE } from '../boot/worker-pool.ts'
import type { Config } from '../config.ts'
import type { ShutdownList } from '../shutdown.ts'
import { findProgress } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import { createLog, type Log } from '../telemetry/log.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { settleRestore } from './backup/replace-content.ts'
import type { CommandContext, Host } from './command-context.ts'
import { createDataDir, createLoggedShutdownList, openStore } from './open-store.ts'
import { serveAsWorker } from './serve-as-worker.ts'
import { startNode } from './start-node.ts'
import { startWithWorkers } from './start-with-workers.ts'

/** Runs the service until a signal stops it. The embedded chains need their thread. */
export async function serve({ config, host }: CommandContext, chainsThread?: ChainsThread): Promise<void> {
  const worker = host.env[WORKER_VARIABLE]
  if (worker !== undefined) return serveAsWorker(config, Number(worker))
  const startedAt = new Date()
  const isLocal = chainsThread !== undefined
  if (!isLocal) assertSocialSecret(config)
  const metrics = createMetrics()
  const onDropped = (lines: number) => metrics.logLinesDropped.inc(lines)
  const log = createLog(config.logLevel, { env: host.env, onDropped })
  const shutdown = createLoggedShutdownList(log)
  const { signal, received, stopListening } = listenForSignals(log, config.workers > 1)
  // Elsewhere than on a terminal, only JSON is written.
  const progress = createProgress(host.stderr, {
    onLine: (step, seconds) => log.info({ step, seconds }, 'starting'),
  })
  try {
    // A step of start-up can't be interrupted, so a signal takes effect after it.
    const late = received.then(() => sleep(STEP_MS_MAX, undefined, { ref: false }))
    const service = await Promise.race([
      start(config, { env: host.env, chainsThread, metrics, log, shutdown, signal, progress }),
      late,
    ])
    if (service) {
      const { report } = service
      const short = { url: config.publicUrl, store: report.store }
      log.info(host.stdout.isTTY ? short : { url: config.publicUrl, ...formatStartFields(report) }, 'serving')
      // A program that waits for this line must not wait until the buffer is full.
      log.flush()
    }
    // In a terminal, the indexer's first lines would push the start-up screen away.
    if (service?.database && isLocal && config.indexer && host.stdout.isTTY && host.stderr.isTTY)
      await Promise.race([waitForIndex(service.database, startedAt, progress), received])
    progress.clear()
    if (service && !signal.aborted && host.stderr.isTTY) host.stderr.write(formatStartScreen(service.report))
    await received
    service?.drain()
    await sleep(service ? config.shutdownDelaySeconds * 1_000 : 0)
  } catch (error) {
    progress.clear()
    if (!signal.aborted) {
      await shutdown.run()
      // The lines so far come before the one that says why.
      const flushed = new Promise<void>(resolve => log.flush(() => resolve()))
      await Promise.race([flushed, sleep(FLUSH_MS_MAX, undefined, { ref: false })])
      stopListening()
      throw error
    }
  }
  await shutdown.run()
  log.info({}, 'stopped')
  // Everything has stopped, so don't wait for whatever still keeps the process open.
  setTimeout(() => process.exit(0), 200).unref()
}

const INDEX_LOOK_MS = 200
const INDEX_MS_MAX = 10_000

/** Waits, but not for long, until the embedded chains, which are small, have been read since the given time. */
async function waitForIndex(database: Database, since: Date, progress: Progress): Promise<void> {
  const deadlineMs = performance.now() + INDEX_MS_MAX
  progress.show('Indexing the embedded chains')
  while (performance.now() < deadlineMs) {
    // The indexer itself reports a database that fails.
    const found = await Promise.all(
      NETWORKS.map(network => findProgress(database, network).catch(() => undefined)),
    )
    if (found.every(each => each?.isComplete && each.updatedAt >= since)) return
    await sleep(INDEX_LOOK_MS)
  }
}

/** Starts everything, the port first. Rejects if the signal is aborted meanwhile. */
async function start(
  config: Config,
  {
    env,
    chainsThread,
    metrics,
    log,
    shutdown,
    signal,
    progress,
  }: {
    env: Host['env']
    chainsThread: ChainsThread | undefined
    metrics: Metrics
    log: Log
    shutdown: ShutdownList
    signal: AbortSignal
    progress: Progress
  },
): Promise<{ drain(): void; database?: Database; report: StartReport }> {
  if (chainsThread) await assertLocalPortsFree(config)
  const port = await openPort(config, { metrics, log, shutdown })
  let isStarting = true
  const show = (step: string) => {
    port.show(step)
    // The launches are also read later, when the database was down for a while.
    if (isStarting && !signal.aborted) progress.show(`${step.charAt(0).toUpperCase()}${step.slice(1)}`)
  }
  const nextStep = (step: string) => {
    signal.throwIfAborted()
    show(step)
  }
  const hasWorkers = config.workers > 1
  // The build takes seconds, once per version. The API does not wait for it.
  const site = config.site ? loadSite(log, signal) : undefined
  nextStep('opening the database')
  const settled = await settleRestore(config.dataDir)
  if (settled !== undefined) log.warn({ outcome: settled }, 'found an interrupted restore')
  if (chainsThread) await createDataDir(config.dataDir)
  // Other processes prepare the database. Meanwhile, this one builds the demo.
  const opening = openStore(config, { log, shutdown, progress })
  if (chainsThread)
    opening.then(
      () => signal.aborted || show('starting the embedded chains'),
      () => {},
    )
  const local = await (chainsThread
    ? waitForBoth(opening, startLocalChains(config, { chainsThread, log, shutdown }))
    : undefined)
  const { connection, place } = await opening
  signal.throwIfAborted()
  const foundation = { connection, place, chains: local?.chains }
  const parts = { metrics, log, shutdown, signal }
  if (hasWorkers) {
    // Otherwise, each of them would build it.
    await site
    await local?.built
    nextStep('starting the workers')
    const workers = await startWithWorkers(config, foundation, { ...parts, env })
    await port.handOver(workers)
    isStarting = false
    return workers
  }
  const { service, report } = await startNode(config, foundation, {
    ...parts,
    site,
    show,
    ...(local && { built: local.built }),
  })
  await port.handOver(service)
  isStarting = false
  return { drain: service.drain, database: service.database, report }
}

/** What the second one returns. Waits for both even if one fails: what is still being started can't be stopped. */
async function waitForBoth<T>(first: Promise<unknown>, second: Promise<T>): Promise<T> {
  await Promise.allSettled([first, second])
  await first
  return second
}

/** A second signal ends the process, but only after this time: under npm, one Ctrl-C arrives twice. */
const SECOND_SIGNAL_MS = 1_000
/** A pipe that no one reads must not keep a service that can't start. */
const FLUSH_MS_MAX = 500
/** How long a signal waits for the current step of start-up. */
const STEP_MS_MAX = 5_000

/**
 * The signal is aborted, and the promise resolves, when the process is asked to stop. With workers, SIGHUP replaces
 * them, and does nothing until they have started.
 */
function listenForSignals(log: Log, hasWorkers: boolean) {
  const controller = new AbortController()
  let firstMs: number | undefined
  const received = new Promise<void>(resolve => {
    controller.signal.addEventListener('abort', () => resolve())
  })
  const onSignal = (name: NodeJS.Signals) => {
    if (firstMs !== undefined) {
      if (performance.now() - firstMs > SECOND_SIGNAL_MS) process.exit(1)
      return
    }
    firstMs = performance.now()
    log.info({ signal: name }, 'stopping after open requests are answered')
    controller.abort()
  }
  const ignore = () => {}
  const listeners = { SIGINT: onSignal, SIGTERM: onSignal, SIGHUP: hasWorkers ? ignore : onSignal }
  const names = Object.keys(listeners) as (keyof typeof listeners)[]
  for (const name of names) process.on(name, listeners[name])
  return {
    signal: controller.signal,
    received,
    stopListening: () => names.forEach(name => void process.off(name, listeners[name])),
  }
}
