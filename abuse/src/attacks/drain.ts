import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { createClient } from '../http-client.ts'
import { UNLIMITED } from '../unlimited.ts'

/**
 * The service is stopped and started under load. The load comes from a balancer that asks `/readyz` four times a second
 * and sends requests only while the service is ready, without retries.
 */
export const drain: Attack = {
  name: 'restart under load',
  environment: UNLIMITED,
  async run(target) {
    const client = createClient(target.port, { localAddress: '127.0.0.120', connections: 16 })
    const health = createClient(target.port, { localAddress: '127.0.0.121', keepAlive: false })
    let isReady = true
    let isOver = false
    let answered = 0
    let failed = 0
    const checks = (async () => {
      while (!isOver) {
        isReady = await health.send('GET', '/readyz', { timeoutMs: 1_000 }).then(
          ({ status }) => status === 200,
          () => false,
        )
        await sleep(250)
      }
    })()
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        if (isReady) {
          const answer = await client.send('GET', '/v1/launches').catch(() => undefined)
          if (answer?.status === 200) answered += 1
          else failed += 1
        }
        await sleep(20)
      }
    })
    await sleep(500)
    await target.stop('SIGTERM')
    const stoppedAt = performance.now()
    target.start(UNLIMITED)
    const aliveMs = await waitForHealth(target.port, stoppedAt)
    await target.waitUntilReady()
    await sleep(500)
    isOver = true
    await Promise.all([checks, ...load])
    client.close()
    health.close()
    return [
      { what: 'answered', value: answered, unit: 'requests' },
      { what: 'failed', value: failed, unit: 'requests', atMost: 0 },
      { what: '/healthz after the start of the process', value: aliveMs, unit: 'ms' },
    ]
  },
}

async function waitForHealth(port: number, since: number): Promise<number> {
  const client = createClient(port, { localAddress: '127.0.0.122', keepAlive: false })
  for (;;) {
    const isAlive = await client.send('GET', '/healthz', { timeoutMs: 1_000 }).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isAlive) return performance.now() - since
    await sleep(25)
  }
}
