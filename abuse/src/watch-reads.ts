import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './http-client.ts'

/** One answer from memory, and one from the database. */
const READS = ['/v1/launches', '/v1/agents?pageSize=1']
const PERIOD_MS = 250

/** Reads and asks for `/healthz` as another client while the attack runs. Returns the longest wait. */
export async function watchReads(
  port: number,
  attack: () => Promise<unknown>,
): Promise<{ longestMs: number; failures: number }> {
  const client = createClient(port, { localAddress: '127.0.0.69' })
  let longestMs = 0
  let failures = 0
  let isOver = false
  const watch = async (paths: string[]) => {
    while (!isOver)
      for (const path of paths) {
        const startMs = performance.now()
        const isAnswered = await client.send('GET', path).then(
          ({ status }) => status === 200,
          () => false,
        )
        longestMs = Math.max(longestMs, performance.now() - startMs)
        if (!isAnswered) failures += 1
        await sleep(PERIOD_MS)
      }
  }
  const watching = [watch(READS), watch(['/healthz'])]
  try {
    await attack()
  } finally {
    isOver = true
    await Promise.all(watching)
    client.close()
  }
  return { longestMs, failures }
}
