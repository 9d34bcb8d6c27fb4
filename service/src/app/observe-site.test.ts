import { expect, test } from 'vitest'
import type { Log } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { createReadiness, NotReady } from '../telemetry/readiness.ts'
import { observeSite } from './observe-site.ts'

function startObserving() {
  const metrics = createMetrics()
  const lines: object[] = []
  const log = { warn: (fields: object) => void lines.push(fields) } as unknown as Log
  const { observer, part } = observeSite(metrics, log)
  // Each check has its own, because an answer is kept for a second.
  const check = () => createReadiness([part]).check('all')
  return { metrics, lines, observer, check }
}

test('the site has a line in /readyz, and never makes a node unready', async () => {
  const { observer, check } = startObserving()
  expect(await check()).toEqual({ ready: true, text: 'site: ok, being built\n' })
  observer.onBuilt(() => 'all is well')
  expect(await check()).toEqual({ ready: true, text: 'site: ok, all is well\n' })
  observer.onBuilt(() => {
    throw new NotReady('the page thread does not start')
  })
  expect(await check()).toEqual({ ready: true, text: 'site: failing, the page thread does not start\n' })
  observer.onBuilt(undefined)
  expect((await check()).text).toBe('site: failing, could not be built; only the API is served\n')
})

test('rendering, waiting, refusals and restarts are in the metrics', async () => {
  const { metrics, observer } = startObserving()
  observer.onRendered('ok', 0.02)
  observer.onRendered('failed', 3)
  observer.onWaiting(7)
  observer.onRefused('client')
  observer.onThreadEnded('hung')
  const text = await metrics.registry.metrics()
  for (const line of [
    'slipway_page_render_duration_seconds_bucket{le="0.025",outcome="ok"} 1',
    'slipway_page_render_duration_seconds_count{outcome="failed"} 1',
    'slipway_pages_waiting 7',
    'slipway_pages_refused_total{reason="client"} 1',
    'slipway_page_thread_restarts_total{reason="hung"} 1',
  ])
    expect(text).toContain(line)
})

test('many failures of one kind share one log line', () => {
  const { lines, observer } = startObserving()
  for (let at = 0; at < 300; at += 1) observer.onFailed(new Error(`Error: the same\n    at page ${at}`))
  observer.onFailed('another')
  expect(lines).toHaveLength(2)
})
