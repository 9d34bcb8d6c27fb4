import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './http-client.ts'

const PERIOD_MS = 25

/** Asks for `/healthz` again and again, as another client, while the attack runs. Returns the longest wait. */
export async function watchHealth(
  port: number,
  attack: () => Promise<unknown>,
): Promise<{ longestMs: number; failures: number }> {
  const client = createClient(port, { localAddress: '127.7.7.7', keepAlive: false })
  let isOver = false
  let longestMs = 0
  let failures = 0
  const watching = (async () => {
    while (!isOver) {
      const start = performance.now()
      try {
        const { status } = await client.send('GET', '/healthz')
        if (status !== 200) failures += 1
      } catch {
        failures += 1
      }
      longestMs = Math.max(longestMs, performance.now() - start)
      await sleep(PERIOD_MS)
    }
  })()
  try {
    await attack()
  } finally {
    isOver = true
    await watching
    client.close()
  }
  return { longestMs, failures }
}
