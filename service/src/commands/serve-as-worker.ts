import type { Socket } from 'node:net'
import type { Siblings } from '../app/create-service.ts'
import { loadSite } from '../boot/load-site.ts'
import type { Config } from '../config.ts'
import { serveHandedOver } from '../http/server.ts'
import type { RenderAnswers } from '../http/site/share-renderer.ts'
import { createCatchUp } from '../lib/catch-up.ts'
import { resultWithin } from '../lib/deadline.ts'
import { connectPeer } from '../lib/peer.ts'
import { readVersion } from '../lib/read-version.ts'
import { createSharedCounts, type OthersCounts } from '../lib/shared-counts.ts'
import { OperatorError } from '../operator-error.ts'
import { describeStoreFault, isStoreFault } from '../store/errors.ts'
import { migrate } from '../store/migrate.ts'
import { createLog } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { shareReadiness } from '../telemetry/readiness.ts'
import { createLoggedShutdownList } from './open-store.ts'
import { type Foundation, startNode } from './start-node.ts'

const DRAIN_MS = 3_000
const KEEP_MS_MAX = 10_000

/** Runs one of the workers of a node until the process that started it says so, or ends. */
export async function serveAsWorker(config: Config, worker: number): Promise<void> {
  // A terminal or a service manager sends signals to all processes. The first one decides what they mean.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const metrics = createMetrics()
  const onDropped = (lines: number) => metrics.logLinesDropped.inc(lines)
  const log = createLog(config.logLevel, { worker, onDropped })
  const shutdown = createLoggedShutdownList(log)
  const stopping = new AbortController()
  const { signal } = stopping
  process.on('disconnect', () => stopping.abort())
  metrics.workerInfo.set({ worker, pid: process.pid }, 1)

  let connections: ReturnType<typeof serveHandedOver> | undefined
  let node: Awaited<ReturnType<typeof startNode>> | undefined
  const service = () => {
    if (!node) throw new Error('this worker is not serving yet')
    return node.service
  }
  const catchUp = createCatchUp(async () => {
    await service().showAll()
    service().confirmAll()
  })
  const first = connectPeer(process, {
    connection(_: undefined, socket?: Socket) {
      // Another worker may have this connection by now. Nothing is read from it before this turn of the event loop ends.
      if (!catchUp.isCurrent()) {
        socket?.destroy()
        return first.tell('refused')
      }
      first.tell('received')
      // Without a socket, the client has disconnected meanwhile.
      if (socket) connections?.receive(socket)
    },
    async ping(sentMs: number) {
      first.tell('alive', await catchUp.ping(sentMs))
    },
    drain: () => service().drain(),
    stop: () => stopping.abort(),
    metrics: () => metrics.registry.getMetricsAsJSON(),
    readiness: (scope: 'all' | 'reads') => service().readiness.check(scope),
    showAll: () => service().showAll(),
    confirmAll: () => service().confirmAll(),
    counts: (others: OthersCounts) => counts.receive(others),
    async render(page: { url: string; client: string }) {
      if (!(await catchUp.show())) throw new Error('this worker cannot read what it missed')
      return (await renderAnswers).render(page)
    },
    errorPages: async () => (await renderAnswers).errorPages(),
  })
  const counts = createSharedCounts(changed => first.tell('counts', changed))
  let onRenderAnswers: (answers: RenderAnswers) => void = () => {}
  // The site is opened after it is built.
  const renderAnswers = new Promise<RenderAnswers>(resolve => {
    onRenderAnswers = resolve
  })
  const siblings: Siblings = {
    count: config.workers,
    isFirst: worker === 1,
    counts,
    catchUp,
    rendering: {
      ask: { render: page => first.ask('render', page), errorPages: () => first.ask('errorPages') },
      onReady: onRenderAnswers,
    },
    // The first process keeps the answer. This only limits how many messages it gets.
    readiness: shareReadiness({ check: scope => first.ask('readiness', scope) }, 0),
    readMetrics: () => first.ask('metrics'),
    showAll: () => first.ask('showAll'),
  }

  try {
    // A new version starts only after SIGHUP. If this one was installed without it, the process ends here.
    await first.ask('version', readVersion())
    const foundation = await first.ask<Foundation>('foundation')
    // A worker that replaces one of an earlier version brings its own migrations.
    await migrate(foundation.connection)
    node = await startNode(config, foundation, {
      site: config.site ? loadSite(log, signal) : undefined,
      metrics,
      log,
      shutdown,
      signal,
      show: () => {},
      siblings,
    })
    const { service, report } = node
    // The other workers start after this one, and then need not encode the listings again. A slow disk must not hold it up.
    if (siblings.isFirst) await resultWithin(KEEP_MS_MAX, service.snapshots.keep())
    await service.app.ready()
    const open = serveHandedOver(service.app)
    connections = open
    shutdown.add('connections', () => open.drain(DRAIN_MS), DRAIN_MS + 300)
    signal.throwIfAborted()
    first.tell('serving', report)
    await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    service.drain()
  } catch (error) {
    if (!signal.aborted) {
      if (error instanceof OperatorError) first.tell('failed', error.message)
      else if (isStoreFault(error)) first.tell('failed', describeStoreFault(error))
      else log.fatal({ err: error }, 'a worker could not start')
    }
  }
  await shutdown.run()
  log.flush(() => process.exit(0))
  setTimeout(() => process.exit(0), 200).unref()
}
