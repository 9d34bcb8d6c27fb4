import { type Attack, percentile } from '../attack.ts'

import { createClient } from '../client.ts'

/** One client sends as fast as it can, far beyond its rate limit, while another reads a listing. */
function createFlood(name: string, path: string): Attack {
  return {
    name,
    async run({ port }, isShort) {
      const forMs = isShort ? 300 : 10_000
      const quiet = await readListings(port, '127.0.0.80', isShort ? 100 : 500, 8)
      let answers = 0
      let isOver = false
      const attacker = createClient(port, { localAddress: '127.0.0.81', connections: 32 })
      const flood = Array.from({ length: 32 }, async () => {
        while (!isOver)
          await attacker.send('GET', path).then(
            () => {
              answers += 1
            },
            () => {},
          )
      })
      const loaded = await readListings(port, '127.0.0.82', forMs, 8)
      isOver = true
      await Promise.all(flood)
      attacker.close()
      return [
        {
          what: `answers per second to the flood of ${path}`,
          value: (answers / forMs) * 1_000,
          unit: 'answers',
        },
        { what: 'p99 of a listing, alone', value: percentile(quiet, 0.99), unit: 'ms' },
        {
          what: 'p99 of a listing during the flood',
          value: percentile(loaded, 0.99),
          unit: 'ms',
          atMost: 250,
        },
      ]
    },
  }
}

export const refusals = createFlood('refusals', '/v1/launches')
export const metricsFlood = createFlood('metrics flood', '/metrics')
export const readinessFlood = createFlood('readiness flood', '/readyz')

/** Well below the rate limit. */
async function readListings(port: number, localAddress: string, forMs: number, perSecond: number) {
  const client = createClient(port, { localAddress })
  const times: number[] = []
  for (const end = Date.now() + forMs; Date.now() < end; ) {
    const { status, ms } = await client.send('GET', '/v1/launches')
    if (status !== 200) throw new Error(`the listing answered ${status} to a well-behaved client`)
    times.push(ms)
    await new Promise(resolve => setTimeout(resolve, 1_000 / perSecond))
  }
  client.close()
  return times
}
