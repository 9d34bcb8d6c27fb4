import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createService } from '../app/create-service.ts'
import { openPort } from '../app/open-port.ts'
import { withCardKey } from '../boot/card-key.ts'
import { describeSite } from '../boot/describe-site.ts'
import { loadSite } from '../boot/load-site.ts'
import { createProgress, type Progress } from '../boot/progress.ts'
import { assertSocialSecret, readSocialSettings } from '../boot/social-settings.ts'
import { assertLocalPortsFree, type LocalChains, startLocalChains } from '../boot/start-local-chains.ts'
import { formatStartFields, formatStartScreen, reportStart, type StartReport } from '../boot/start-report.ts'
import { waitForIndex } from '../boot/wait-for-index.ts'
import { type Config, embedsChains } from '../config.ts'
import { hostExampleDocument } from '../demo/host-example-document.ts'
import { type Register, seedDemo } from '../demo/seed-demo.ts'
import { SLIPWAY } from '../lib/find-installed.ts'
import { OperatorError } from '../operator-error.ts'
import type { ShutdownList } from '../shutdown.ts'
import { findGenesisHash } from '../store/clusters.ts'
import type { Database } from '../store/database.ts'
import { createLog, type Log } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import type { CommandContext } from './command-context.ts'
import { createDataDir, createLoggedShutdownList, openStore } from './open-store.ts'

/** Runs the service until a signal stops it. */
export async function serve({ config, host }: CommandContext): Promise<void> {
  const startedAt = new Date()
  const isLocal = embedsChains(config)
  if (!isLocal) assertSocialSecret(config)
  const log = createLog(config.logLevel, { env: host.env })
  const shutdown = createLoggedShutdownList(log)
  const { signal, received, stopListening } = listenForSignals(log)
  // Elsewhere than on a terminal, only JSON is written.
  const progress = createProgress(host.stderr, {
    onLine: (step, seconds) => log.info({ step, seconds }, 'starting'),
  })
  try {
    // A step of start-up can't be interrupted, so a signal takes effect after it.
    const late = received.then(() => sleep(STEP_MS_MAX, undefined, { ref: false }))
    const service = await Promise.race([start(config, { isLocal, log, shutdown, signal, progress }), late])
    if (service) {
      const { report } = service
      const short = { url: config.publicUrl, store: report.store }
      log.info(host.stdout.isTTY ? short : { url: config.publicUrl, ...formatStartFields(report) }, 'serving')
      // A program that waits for this line must not wait until the buffer is full.
      log.flush()
    }
    // In a terminal, the indexer's first lines would push the start-up screen away.
    if (service && isLocal && config.indexer && host.stdout.isTTY && host.stderr.isTTY)
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

/** Starts everything, the port first. Rejects if the signal is aborted meanwhile. */
async function start(
  config: Config,
  {
    isLocal,
    log,
    shutdown,
    signal,
    progress,
  }: { isLocal: boolean; log: Log; shutdown: ShutdownList; signal: AbortSignal; progress: Progress },
): Promise<{ drain(): void; database: Database; report: StartReport }> {
  const metrics = createMetrics()
  if (isLocal) await assertLocalPortsFree(config)
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
  // The build takes seconds, once per version. The API does not wait for it.
  const site = config.site ? loadSite(log, signal) : undefined
  nextStep('opening the database')
  if (isLocal) await createDataDir(config.dataDir)
  // Other processes prepare the database. Meanwhile, this one builds the demo.
  const opening = openStore(config, { log, shutdown, progress })
  if (isLocal)
    opening.then(
      () => signal.aborted || show('starting the embedded chains'),
      () => {},
    )
  const chains = await (isLocal
    ? waitForBoth(opening, startLocalChains(config, { log, shutdown }))
    : undefined)
  const { connection, place } = await opening
  signal.throwIfAborted()
  const social = await readSocialSettings(config, chains)
  const settings = chains ? withLocalChains(await withCardKey(config), chains) : config
  const service = createService(settings, connection, {
    log,
    shutdown,
    social,
    metrics,
    exampleAddresses: chains?.exampleAddresses,
    onLaunchesRead: count => show(`loading launches, ${count} so far`),
    site: site && { build: site, ...describeSite(settings, chains) },
  })
  if (chains) {
    nextStep('registering the demo launches')
    await assertSameChains(config, service.database, chains)
    await registerDemo(config, service, chains, log)
  }
  nextStep('loading launches')
  await service.load()
  signal.throwIfAborted()
  await port.handOver(service)
  isStarting = false
  return {
    drain: service.drain,
    database: service.database,
    report: reportStart({ config, place, snapshots: service.snapshots, chains }),
  }
}

/** What the second one returns. Waits for both even if one fails: what is still being started can't be stopped. */
async function waitForBoth<T>(first: Promise<unknown>, second: Promise<T>): Promise<T> {
  await Promise.allSettled([first, second])
  await first
  return second
}

/** Uses the embedded chains as RPC URLs for the networks that have no RPC of their own. */
function withLocalChains(config: Config, { networks, documentsHost }: LocalChains): Config {
  const rpcUrls = { ...config.rpcUrls }
  const rpcWsUrls = { ...config.rpcWsUrls }
  const hostsDocuments = { ...config.hostsDocuments }
  for (const { network, rpcUrl, wsUrl } of networks) {
    if ((rpcUrls[network] ?? []).length > 0) continue
    rpcUrls[network] = [rpcUrl]
    rpcWsUrls[network] = wsUrl
    hostsDocuments[network] = true
  }
  const allowHosts = [...config.metadata.allowHosts, documentsHost]
  return { ...config, rpcUrls, rpcWsUrls, hostsDocuments, metadata: { ...config.metadata, allowHosts } }
}

/** Throws if `$DATA_DIR/chain` was deleted but the store was kept: its accounts would no longer exist. */
async function assertSameChains(
  { rpcUrls, dataDir, databaseUrl }: Config,
  database: Database,
  { networks }: LocalChains,
): Promise<void> {
  const commands: string[] = []
  // The printed command must find the same database, without a service on it.
  const environment =
    databaseUrl !== undefined ? 'DATABASE_URL=… ' : dataDir === resolve('data') ? '' : `DATA_DIR=${dataDir} `
  const flag = databaseUrl === undefined ? ' --embedded' : ''
  for (const { network, genesisHash } of networks) {
    const known = (rpcUrls[network] ?? []).length > 0 ? undefined : await findGenesisHash(database, network)
    if (known !== undefined && known !== genesisHash)
      commands.push(
        `${environment}${SLIPWAY} cluster accept ${known} ${genesisHash} --network ${network}${flag}`,
      )
  }
  if (commands.length === 0) return
  const startOver = databaseUrl === undefined ? `delete ${dataDir}, or ` : ''
  throw new OperatorError(
    `The embedded chains in ${dataDir}/chain are new, but the database still describes the previous ones.\nRestore ${dataDir}/chain. Or start over: ${startOver}delete what is stored for each network with:\n  ${commands.join('\n  ')}`,
  )
}

/** Registers the demo launches, except on networks with a configured RPC: those are real. */
async function registerDemo(
  { rpcUrls }: Config,
  { database, register }: { database: Database; register: Register },
  { launches, exampleDocument }: LocalChains,
  log: Log,
) {
  const isSeeded = await seedDemo(
    {
      database,
      register,
      onFailed: ({ registration: { network, genesisAccount } }, error) =>
        log.warn({ network, genesisAccount, err: error }, 'could not register a demo launch'),
    },
    launches.filter(({ registration }) => (rpcUrls[registration.network] ?? []).length === 0),
  )
  if (isSeeded && exampleDocument && (rpcUrls[exampleDocument.network] ?? []).length === 0)
    await hostExampleDocument(database, exampleDocument)
  if (!isSeeded)
    log.warn({}, 'the store has launches from outside the embedded chains: demo launches were not registered')
}

/** A second signal ends the process, but only after this time: under npm, one Ctrl-C arrives twice. */
const SECOND_SIGNAL_MS = 1_000
/** A pipe that no one reads must not keep a service that can't start. */
const FLUSH_MS_MAX = 500
/** How long a signal waits for the current step of start-up. */
const STEP_MS_MAX = 5_000

/** The signal is aborted, and the promise resolves, when the process is asked to stop. */
function listenForSignals(log: Log) {
  const controller = new AbortController()
  let firstMs: number | undefined
  const received = new Promise<void>(resolve => {
    controller.signal.addEventListener('abort', () => resolve())
  })
  const onSignal = (name: NodeJS.Signals) => {
    if (firstMs !== undefined) {
      if (Date.now() - firstMs > SECOND_SIGNAL_MS) process.exit(1)
      return
    }
    firstMs = Date.now()
    log.info({ signal: name }, 'stopping after open requests are answered')
    controller.abort()
  }
  const SIGNALS = ['SIGINT', 'SIGTERM'] as const
  for (const name of SIGNALS) process.on(name, onSignal)
  return {
    signal: controller.signal,
    received,
    stopListening: () => SIGNALS.forEach(name => void process.off(name, onSignal)),
  }
}
