import { describeAgentEvents } from '../agents/describe-agent-events.ts'
import type { Config } from '../config.ts'
import { createEventFeed, type EventFeed, type EventLimits } from '../events/event-feed.ts'
import { startEventTasks } from '../events/event-tasks.ts'
import { describeLaunchEvents } from '../launches/describe-launch-events.ts'
import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'
import { pause } from '../lib/pause.ts'
import type { SharedCounts } from '../lib/shared-counts.ts'
import type { ShutdownList } from '../shutdown.ts'
import type { Database } from '../store/database.ts'
import type { Log } from '../telemetry/log.ts'
import { createLogSampler } from '../telemetry/log-sampler.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** How long events wait for the listings to show what they are about. */
const LISTINGS_MS_MAX = 1_000

/** Opens the feed of events. Its streams end when the node drains, so that clients reconnect elsewhere. */
export function openEvents(
  { eventStreamsMax, tradesDays }: Pick<Config, 'eventStreamsMax' | 'tradesDays'>,
  {
    database,
    snapshots,
    draining,
    metrics,
    log,
    shutdown,
    limits = {},
    shared,
  }: {
    database: Database
    snapshots: Pick<LaunchSnapshots, 'caughtUp'>
    draining: AbortSignal
    metrics: Metrics
    log: Log
    shutdown: ShutdownList
    limits?: EventLimits
    shared?: SharedCounts | undefined
  },
): EventFeed & { start(): Promise<void> } {
  const logFault = createLogSampler<unknown>((error, leftOut) =>
    log.warn({ err: error, ...(leftOut > 0 && { leftOut }) }, 'could not read or write events; retrying'),
  )
  const onFault = (error: unknown) => logFault('events', error)
  const feed = createEventFeed({
    database,
    async describe(events) {
      const ofLaunches = await describeLaunchEvents(database, events)
      const ofAgents = await describeAgentEvents(database, events)
      return ofLaunches.map((details, at) => details ?? ofAgents[at])
    },
    ...limits,
    streamsMax: eventStreamsMax,
    shared,
    async beforePublish(events) {
      if (!events.some(({ type }) => type.startsWith('launch.') && type !== 'launch.trade')) return
      await Promise.race([snapshots.caughtUp().catch(() => {}), pause(LISTINGS_MS_MAX)])
    },
    observer: {
      onCount: open => metrics.eventStreams.set(open),
      onSent: count => metrics.eventsSent.inc(count),
      onRefused: reason => metrics.eventStreamsRefused.inc({ reason }),
      onCut: reason => metrics.eventStreamsCut.inc({ reason }),
      onFault,
    },
  })
  draining.addEventListener('abort', feed.close, { once: true })
  let tasks: { close(): void } | undefined
  shutdown.add('event tasks', () => tasks?.close())
  return {
    ...feed,
    async start() {
      await feed.caughtUp()
      tasks = startEventTasks(database, { tradesDays, onFault })
    },
  }
}
