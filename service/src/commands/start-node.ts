import { resolve } from 'node:path'
import { createService, type Siblings } from '../app/create-service.ts'
import { withCardKey } from '../boot/card-key.ts'
import { describeSite } from '../boot/describe-site.ts'
import { readSocialSettings } from '../boot/social-settings.ts'
import type { LocalChains } from '../boot/start-local-chains.ts'
import { reportStart, type StartReport } from '../boot/start-report.ts'
import type { Config } from '../config.ts'
import { hostExampleDocument } from '../demo/host-example-document.ts'
import { type Register, seedDemo } from '../demo/seed-demo.ts'
import type { SiteBuild } from '../http/site/site-build.ts'
import { SLIPWAY } from '../lib/find-installed.ts'
import { OperatorError } from '../operator-error.ts'
import type { ShutdownList } from '../shutdown.ts'
import { findGenesisHash } from '../store/clusters.ts'
import type { ConnectionOptions, Database } from '../store/database.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** What a node needs before it starts. The workers of a machine share it. */
export interface Foundation {
  connection: ConnectionOptions
  /** Where the store is, for people. */
  place: string
  /** Absent unless the chains are embedded. */
  chains: LocalChains | undefined
}

/** Starts a node that serves, except for its port. Rejects if the signal is aborted meanwhile. */
export async function startNode(
  config: Config,
  { connection, place, chains }: Foundation,
  {
    site,
    metrics,
    log,
    shutdown,
    signal,
    show,
    built,
    siblings,
  }: {
    site: Promise<SiteBuild | undefined> | undefined
    metrics: Metrics
    log: Log
    shutdown: ShutdownList
    signal: AbortSignal
    show(step: string): void
    /** Resolves when the demo of the embedded chains is built. */
    built?: Promise<unknown>
    siblings?: Siblings | undefined
  },
): Promise<{ service: ReturnType<typeof createService>; report: StartReport }> {
  const nextStep = (step: string) => {
    signal.throwIfAborted()
    show(step)
  }
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
    siblings,
  })
  if (chains) {
    await assertSameChains(config, service.database, chains)
    await built
    nextStep('registering the demo launches')
    await registerDemo(config, service, chains, log)
  }
  nextStep('loading launches')
  await service.load()
  signal.throwIfAborted()
  return { service, report: reportStart({ config, place, snapshots: service.snapshots, chains }) }
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
