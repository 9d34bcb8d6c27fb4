import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { createClient } from '../client.ts'
import { measure } from './pages.ts'

const SWAPS = 180
/** A build takes two answers of the RPC, and a request may take ten times as long as one. */
const SLOW_MS = 300
const BACK_MS_MAX = 60_000

/** The only RPC endpoint is slow, and one client has many swaps built at once. */
export const swapBurst: Attack = {
  name: 'swap burst',
  async run(target, isShort) {
    const client = createClient(target.port, { localAddress: '127.4.0.1', connections: SWAPS })
    const { trader, curve } = target.chain
    let sent = 0
    const build = async () => {
      sent += 1
      const body = { wallet: trader, side: 'buy', amount: `${1_000_000 + sent}` }
      const { status, headers } = await client.send('POST', `/v1/launches/${curve}/swap`, { body })
      const outcome = status === 200 ? 'built' : `${status} ${headers['slipway-error']}`
      return { outcome, isExplained: outcome === 'built' || headers['retry-after'] !== undefined }
    }
    let answers: Awaited<ReturnType<typeof build>>[] = []
    const figures = await measure(target, isShort, async () => {
      target.rpc.slow(SLOW_MS)
      answers = await Promise.all(Array.from({ length: SWAPS }, build))
      target.rpc.slow(0)
    })
    const startMs = performance.now()
    while ((await build()).outcome !== 'built' && performance.now() < startMs + BACK_MS_MAX) await sleep(100)
    const backMs = performance.now() - startMs
    client.close()
    const expected = ['built', '500 PREPARE_FAILED', '503 SERVICE_UNAVAILABLE']
    const other = answers.map(({ outcome }) => outcome).filter(outcome => !expected.includes(outcome))
    return [
      ...figures,
      {
        what: `swaps that were not built, of ${SWAPS}`,
        value: answers.filter(({ outcome }) => outcome !== 'built').length,
        unit: 'answers',
        atMost: SWAPS - 1,
      },
      {
        what: 'refusals that do not say when to try again',
        value: answers.filter(({ isExplained }) => !isExplained).length,
        unit: 'answers',
        atMost: 0,
      },
      {
        what: 'refusals for another reason',
        value: other.length,
        unit: 'answers',
        atMost: 0,
        ...(other[0] && { detail: other[0] }),
      },
      { what: 'until a swap is built again', value: backMs, unit: 'ms', atMost: 5_000 },
    ]
  },
}
