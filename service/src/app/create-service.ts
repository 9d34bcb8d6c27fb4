import type { ExampleAddresses } from '@slipway/schema/example-addresses'
import { NETWORKS } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { createRewards } from '../creator-rewards/creator-rewards.ts'
import { chargeChainRead, createRateLimiter } from '../http/ingress/rate-limit.ts'
import { createServer, drainServer } from '../http/server.ts'
import type { SiteParts } from '../http/site/mount-site.ts'
import { createPageVersion } from '../http/site/page-version.ts'
import type { SharedRendering } from '../http/site/share-renderer.ts'
import type { Indexer } from '../indexer/create-indexer.ts'
import { createReadPosition } from '../launches/deposits/read-position.ts'
import { createRegistration } from '../launches/registration/register-launch.ts'
import { openMarkets } from '../launches/trading/markets.ts'
import type { CatchUp } from '../lib/catch-up.ts'
import { resultWithin } from '../lib/deadline.ts'
import type { SharedCounts } from '../lib/shared-counts.ts'
import type { ShutdownList } from '../shutdown.ts'
import { createSocial, type SocialSettings } from '../social/social.ts'
import { type Changes, listenForChanges } from '../store/changes.ts'
import { type ConnectionOptions, openDatabase } from '../store/database.ts'
import { createHeavyQueries } from '../store/heavy-queries.ts'
import type { Log } from '../telemetry/log.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { createReadiness, type Readiness } from '../telemetry/readiness.ts'
import { keepSiteFiles } from './keep-site-files.ts'
import { limitsOfWorker, SERVICE_LIMITS, type ServiceLimits } from './limits.ts'
import { listEndpoints } from './list-endpoints.ts'
import { observeSite } from './observe-site.ts'
import { openAgents } from './open-agents.ts'
import { noteIndexedSlots, openChains } from './open-chains.ts'
import { openEvents } from './open-events.ts'
import { openHosting } from './open-hosting.ts'
import { openIndexer } from './open-indexer.ts'
import { openListings } from './open-listings.ts'
import { toServerLog } from './open-port.ts'
import { listReadinessParts } from './readiness-parts.ts'
import { createShowChange } from './show-change.ts'
import { watchStore } from './watch-store.ts'

/** What a worker shares with the other workers of its node. */
export interface Siblings {
  /** The readiness and the metrics of all workers together. */
  readiness: Readiness
  readMetrics(): Promise<string>
  /** Resolves once the other workers that answer show everything that was stored at the time of the call. */
  showAll(): Promise<unknown>
  /** What the workers have counted for each client. */
  counts: SharedCounts
  rendering: SharedRendering
  /** Other workers may confirm changes without this one while it hangs. */
  catchUp: CatchUp
  /** How many workers share the budgets of the node. */
  count: number
  /** Whether this worker does what only one of them needs to do. */
  isFirst: boolean
}

/** Composes one node of the service. Everything it starts is on the shutdown list when it returns. */
export function createService(
  config: Config,
  connection: ConnectionOptions,
  {
    log,
    shutdown,
    social: settings,
    metrics = createMetrics(),
    exampleAddresses,
    onLaunchesRead = () => {},
    limits: given = {},
    site,
    siblings,
  }: {
    log: Log
    shutdown: ShutdownList
    social: SocialSettings
    metrics?: Metrics
    /** The addresses that the examples of the API reference have here. */
    exampleAddresses?: ExampleAddresses | undefined
    /** Receives the number of launches that have been read, for the progress of start-up. */
    onLaunchesRead?(count: number): void
    limits?: Partial<ServiceLimits>
    /** Absent: only the API is served. */
    site?: Omit<SiteParts, 'observer' | 'version' | 'earlierFiles' | 'sharedRendering'> | undefined
    /** Absent: this process is the whole node. */
    siblings?: Siblings | undefined
  },
) {
  const limits = { ...SERVICE_LIMITS, ...given }
  const own = limitsOfWorker(siblings?.count ?? 1)
  const database = openDatabase(
    connection,
    {
      onQuery: (query, seconds, failed) =>
        metrics.storeSeconds.observe({ query, outcome: failed ? 'failed' : 'ok' }, seconds),
      onConnectionLost: error => log.warn({ err: error }, 'a database connection was lost'),
    },
    { ...limits, connections: own.connections },
  )
  shutdown.add('database', database.close)
  const storeWatch = watchStore({ database, metrics, log, probeMs: limits.storeProbeMs })
  shutdown.add('store probe', storeWatch.close)

  const pageVersion = createPageVersion(() => events.newestId())
  const chains = openChains(config, {
    database,
    metrics,
    log,
    shutdown,
    limits: limits.rpc,
    heavyReadLimits: own.heavyReads,
    shared: siblings?.counts,
  })

  const runHeavy = createHeavyQueries(own.connections)
  const { snapshots, launchList, listPages } = openListings(config, {
    database,
    runHeavy,
    onLaunchesRead,
    onChanged: pageVersion.changed,
    onAgentChanged: (network, agent) => agents.launchesChanged(network, agent),
    isFirst: siblings?.isFirst ?? true,
    metrics,
    log,
    shutdown,
  })

  // A proxy's connections go to all workers. Any other client has all of its connections on one.
  const limiter = createRateLimiter(
    config.rateLimits,
    config.trustedProxies.length > 0 ? siblings?.counts : undefined,
  )
  const { agents, agentList, refreshAgent, documents, claimDocument } = openAgents(config, {
    database,
    chains,
    tokensOf: (network, agent) => snapshots.of(network).tokensOfAgent(agent),
    chargeChainRead: client => chargeChainRead(limiter, client),
    metrics,
    log,
    shutdown,
    fetchLimits: own.fetch,
    runHeavy,
  })

  const hosting = openHosting(config, { database, metrics, log, shutdown })

  const rewards = createRewards(chains, {
    database,
    metrics,
    log,
    limits: { ...limits, search: { ...own.search, ...limits.search } },
  })
  // Starts when the store's changes arrive, so that it learns of every registration from then on.
  let indexer: Indexer | undefined
  shutdown.add('indexer', () => indexer?.close(), INDEXER_STOP_MS)

  let changes: Changes | undefined
  shutdown.add('launch changes', () => changes?.close())

  const social = createSocial(settings, {
    onAnswer: (outcome, seconds) => metrics.socialSeconds.observe({ outcome }, seconds),
    onNotAsked: reason => metrics.socialNotAsked.inc({ reason }),
    now: database.nowMs,
  })
  shutdown.add('social network', social.network.close, SOCIAL_STOP_MS)

  const { register, close: stopRegistering } = createRegistration({
    database,
    chainOf: network => chains[network]?.rpc,
    documents,
    gateways: config.metadata,
    verifyToken: social.tokens.verify,
    claimDocument,
    onFault: error => log.warn({ err: error }, "could not store a token's metadata"),
  })
  shutdown.add('metadata retry', stopRegistering)

  const draining = new AbortController()
  const events = openEvents(config, {
    database,
    snapshots,
    draining: draining.signal,
    metrics,
    log,
    shutdown,
    limits: limits.events,
    shared: siblings?.counts,
  })
  const parts = listReadinessParts({
    database,
    storeWatch,
    chains,
    snapshots,
    rewards,
    config,
    metrics,
    isListening: () => changes?.listening ?? false,
    indexerOf: () => indexer,
  })
  const { observer, part: sitePart } = observeSite(metrics, log)
  // The process that started this worker keeps its answer.
  const readiness = createReadiness(
    site ? [...parts, sitePart] : parts,
    draining.signal,
    siblings ? 0 : undefined,
  )

  const markets = openMarkets(chains, (network, ...found) => chains[network]?.drift.noteUnread(...found))
  const app = createServer({
    endpoints: listEndpoints({
      ...config,
      database,
      chains,
      snapshots,
      launchList,
      agents,
      agentList,
      events,
      rewards,
      markets,
      readPosition: createReadPosition(markets, database),
      social,
      register,
      hostDocument: hosting.hostDocument,
      showChange: createShowChange({
        showElsewhere: siblings?.showAll,
        onShown: pageVersion.confirmed,
        onLate: error => log.warn({ err: error }, 'confirmed a change that this node does not show yet'),
      }),
    }),
    limiter,
    connectionsPerClient: config.connectionsPerClient,
    requestMs: limits.requestMs,
    slotMsOf: network => chains[network]?.rpc.measuredSlotMs(),
    inFlightMax: own.inFlightMax,
    metrics,
    ...(siblings && { readMetrics: siblings.readMetrics }),
    readiness: siblings?.readiness ?? readiness,
    catchUp: siblings?.catchUp,
    hidesDetails: config.metrics.port !== undefined,
    draining: draining.signal,
    log: toServerLog(log),
    publicUrl: config.publicUrl,
    exampleAddresses,
    discovery: {
      networks: NETWORKS.filter(network => chains[network] !== undefined),
      listLaunchPages: listPages,
    },
    trustedProxies: config.trustedProxies,
    site: site && {
      ...site,
      version: pageVersion,
      observer,
      earlierFiles: keepSiteFiles({ database, log, shutdown }),
      sharedRendering: siblings?.rendering,
    },
  })
  // Registered late, so drained early. After the limit, clients that are still reading are disconnected.
  shutdown.add('http', () => drainServer(app, DRAIN_MS), DRAIN_MS + 300)
  shutdown.add('event streams', events.close)

  /** Starts to follow the store. Resolves once the listings show everything that was stored at the time of the call. */
  async function load() {
    // Otherwise, launches could start at the wrong time until the first probe.
    await resultWithin(CLOCK_MS_MAX, storeWatch.start())
    for (const { blockhash } of Object.values(chains)) blockhash.start()
    changes = listenForChanges(connection, database, {
      onChanged(kind, network, addresses) {
        if (kind === 'launches') snapshots.changed(network, addresses)
        else {
          agents.changed(network, addresses)
          agentList.changed()
          pageVersion.changed()
        }
        indexer?.storeChanged(kind, network, addresses)
      },
      onEvents: events.changed,
      onEverything() {
        metrics.listening.set(1)
        snapshots.everythingChanged()
        agents.everythingChanged()
        agentList.changed()
        pageVersion.changed()
        events.changed()
        indexer?.everythingChanged()
      },
      onLost(error) {
        metrics.listening.set(0)
        log.warn({ err: error }, 'lost the change listener; reconnecting')
      },
    })
    await changes.started
    await snapshots.caughtUp()
    await noteIndexedSlots(chains, database)
    await agentList.start()
    await launchList.start()
    await events.start()
    hosting.start()
    indexer = openIndexer(config, connection, {
      serverOfPool: () => changes?.server,
      nowMs: database.nowMs,
      chains,
      refreshAgent,
      metrics,
      log,
      limits,
    })
  }

  return {
    app,
    database,
    snapshots,
    agents,
    chains,
    metrics,
    readiness,
    register,
    load,
    /** Resolves once this process shows everything that was stored at the time of the call. */
    async showAll() {
      await changes?.delivered()
      await Promise.all([snapshots.caughtUp(), agents.caughtUp()])
    },
    /** No page from before this call is served after it. */
    confirmAll: pageVersion.confirmed,
    /** Tells load balancers that this node is about to stop. Everything is still served. */
    drain: () => draining.abort(),
  }
}

/** Leaves the other parts enough time to stop within ten seconds in total. */
const DRAIN_MS = 3_000
const SOCIAL_STOP_MS = 100
/** How long a start waits for the database's time. */
const CLOCK_MS_MAX = 3_000
const INDEXER_STOP_MS = 1_000
