import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../client.ts'
import type { Target } from '../target.ts'
import { type Attack, percentile } from '../target.ts'

const SHOWN_MS_MAX = 120_000

/** One launch gets a flood of dust transactions, and people trade in another. */
export const launchSpam: Attack = {
  name: 'launch spam',
  async run(target, isShort) {
    const { curve, otherCurve } = target.chain
    const shown = createTrades(target, otherCurve)
    // All launches are read first.
    await shown.next()
    const alone = await shown.times(3)
    const spam = target.ask({
      act: 'name',
      launches: [curve],
      times: isShort ? 500 : 20_000,
      isWritable: true,
    })
    const during = await shown.times(isShort ? 3 : 10)
    await spam
    shown.close()
    return [
      { what: 'until a trade is shown, alone', value: percentile(alone, 0.5), unit: 'ms' },
      {
        what: 'until a trade is shown, while another launch is flooded',
        value: percentile(during, 0.5),
        unit: 'ms',
      },
      {
        what: 'until a trade is shown during the flood, compared with before',
        value: percentile(during, 0.5) / percentile(alone, 0.5),
        unit: 'times',
        atMost: 20,
      },
    ]
  },
}

/** Each transaction names as many launches as fit into it, and trades in none. */
export const manyLaunches: Attack = {
  name: 'many launches',
  async run(target, isShort) {
    const launches = target.chain.registrations.slice(0, 26).map(({ genesisAccount }) => genesisAccount)
    const shown = createTrades(target, target.chain.curve)
    await shown.next()
    const times = isShort ? 5 : 50
    const named = (isWritable: boolean) => target.ask({ act: 'name', launches, times, isWritable })
    const signatures = [...(await named(false)), ...(await named(true))]
    const readsOf = (signature: string) => target.rpc.count('getTransaction', signature)
    for (const endMs = Date.now() + SHOWN_MS_MAX; Date.now() < endMs; await sleep(200))
      if (signatures.every(signature => readsOf(signature) > 0)) break
    await shown.times(isShort ? 1 : 5)
    shown.close()
    const reads = signatures.map(readsOf)
    return [
      {
        what: `transactions that were not read, of ${reads.length}`,
        value: reads.filter(count => count === 0).length,
        unit: 'requests',
        atMost: 0,
      },
      {
        // A call that times out is repeated.
        what: `reads for each transaction that names ${launches.length} launches`,
        value: reads.reduce((sum, count) => sum + count, 0) / reads.length,
        unit: 'requests',
        atMost: 2,
      },
    ]
  },
}

/** Trades in a launch, one after another, and how long each takes to be in the answers. */
function createTrades(target: Target, launch: string) {
  const client = createClient(target.port, { localAddress: '127.5.0.1' })
  const newest = async () => {
    const { body } = await client.send('GET', `/v1/launches/${launch}/trades?limit=1`)
    return JSON.stringify((JSON.parse(body) as { data?: unknown }).data)
  }
  const next = async (): Promise<number> => {
    const before = await newest()
    const startMs = performance.now()
    await target.ask({ act: 'buy', launch })
    for (; performance.now() < startMs + SHOWN_MS_MAX; await sleep(50))
      if ((await newest()) !== before) return performance.now() - startMs
    throw new Error('a trade was not shown')
  }
  return {
    next,
    async times(count: number): Promise<number[]> {
      const found: number[] = []
      while (found.length < count) found.push(await next())
      return found
    },
    close: client.close,
  }
}
