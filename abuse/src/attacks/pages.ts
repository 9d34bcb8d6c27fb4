import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../client.ts'
import type { Target } from '../target.ts'
import { type Attack, type Figure, percentile } from '../target.ts'

/** The number of pages that the service takes from all clients together. */
const CONNECTIONS = 64
/** A visitor's request that takes longer has failed. */
const PAGE_MS_MAX = 20_000
const ANSWER_MS_MAX = 5_000

/** One client, within its rate limit, asks for pages that differ only in their query. */
export const pageQueries: Attack = {
  name: 'page queries',
  run: (target, isShort) =>
    measure(target, isShort, () => {
      const pathAt = (at: number) => `/?${at % 2 === 0 ? 'filter' : 'q'}=${word(12)}`
      return ask(target, { pathAt, localAddress: '127.2.0.1', seconds: isShort ? 0.5 : 2, perSecond: 290 })
    }),
}

/** The RPC hangs, and one client asks for pages that wait for it, faster than they time out. */
export const slowPages: Attack = {
  name: 'slow pages',
  run: (target, isShort) =>
    measure(target, isShort, async () => {
      target.rpc.hang()
      // An address of 32 bytes that has not been requested before.
      const pathAt = () => `/agents/z${word(42)}`
      await ask(target, { pathAt, localAddress: '127.2.0.2', seconds: isShort ? 1 : 6, perSecond: 60 })
      target.rpc.resume()
    }),
}

/** Sends requests as one client, and ignores the answers. A request that finds no free connection is not sent. */
async function ask(
  { port }: Target,
  {
    pathAt,
    localAddress,
    seconds,
    perSecond,
  }: { pathAt(at: number): string; localAddress: string; seconds: number; perSecond: number },
): Promise<void> {
  const client = createClient(port, { localAddress, connections: CONNECTIONS })
  const open = new Set<Promise<unknown>>()
  const startMs = performance.now()
  for (let sent = 0; performance.now() < startMs + seconds * 1_000; await sleep(1))
    for (; sent < ((performance.now() - startMs) / 1_000) * perSecond; sent += 1) {
      if (open.size === CONNECTIONS) continue
      const answer = client
        .send('GET', pathAt(sent), { headers: { accept: 'text/html' } })
        .catch(() => {})
        .finally(() => open.delete(answer))
      open.add(answer)
    }
  await Promise.race([Promise.all(open), sleep(ANSWER_MS_MAX)])
  client.close()
}

interface Answered {
  startMs: number
  ms: number
  isOk: boolean
}

/** Before, during and after the attack, another client reads a listing and looks at pages that are not in the cache. */
async function measure(target: Target, isShort: boolean, attack: () => Promise<void>): Promise<Figure[]> {
  const visitor = createVisitor(target.port)
  await visitor.warmUp()
  const watching = visitor.watch()
  await sleep(isShort ? 300 : 3_000)
  const startMs = performance.now()
  await attack()
  const endMs = performance.now()
  await sleep(isShort ? 1_000 : 15_000)
  const { reads, pages } = await watching.stop()
  const isDuring = (answered: Answered) => answered.startMs >= startMs && answered.startMs < endMs
  const during = pages.filter(isDuring)
  const after = pages.filter(page => page.startMs >= endMs)
  const backMs = after.map(page => page.startMs + page.ms - endMs)
  const [before, meanwhile] = [reads.filter(read => read.startMs < startMs), reads.filter(isDuring)]
  return [
    {
      what: 'median read by another client during the attack, compared with before',
      value: medianMs(meanwhile) / medianMs(before),
      unit: 'times',
      atMost: 25,
    },
    {
      what: 'slowest read by another client before the attack',
      value: slowest(before),
      unit: 'ms',
    },
    {
      what: 'slowest read by another client during the attack',
      value: slowest(meanwhile),
      unit: 'ms',
      atMost: 250,
    },
    { what: 'slowest page for another client during the attack', value: slowest(during), unit: 'ms' },
    {
      what: `failed pages for another client during the attack, of ${during.length}`,
      value: countFailed(during),
      unit: 'answers',
      atMost: 0,
    },
    {
      what: `failed pages after the attack, of ${after.length}`,
      value: countFailed(after),
      unit: 'answers',
      atMost: 0,
    },
    {
      what: 'from the end of the attack until pages are back',
      // The first page, or the last one that failed.
      value: Math.max(backMs[0] ?? 0, ...backMs.filter((_, at) => !after[at]?.isOk)),
      unit: 'ms',
      atMost: 2_000,
    },
  ]
}

const slowest = (list: readonly Answered[]) => Math.max(0, ...list.map(({ ms }) => ms))
const medianMs = (list: readonly Answered[]) =>
  percentile(
    list.map(({ ms }) => ms),
    0.5,
  )
const countFailed = (list: readonly Answered[]) => list.filter(({ isOk }) => !isOk).length

let visitors = 0

/** A client with its own address that stays well below its limit. */
function createVisitor(port: number) {
  visitors += 1
  const client = createClient(port, { localAddress: `127.0.1.${visitors}`, connections: 64 })
  let count = 0
  const get = async (path: string): Promise<Answered> => {
    const startMs = performance.now()
    const status = await client
      .send('GET', path, { timeoutMs: PAGE_MS_MAX })
      .then(answer => answer.status)
      .catch(() => 0)
    return { startMs, ms: performance.now() - startMs, isOk: status === 200 }
  }
  const look = () => {
    count += 1
    return get(`/?q=visitor-${count}`)
  }
  return {
    /** The first page waits until the site is built. */
    async warmUp() {
      for (let tries = 0; tries < 20; tries += 1) if ((await look()).isOk) return
    },
    watch() {
      const reads: Answered[] = []
      const pages: Promise<Answered>[] = []
      let isOver = false
      const reading = (async () => {
        while (!isOver) {
          reads.push(await get('/v1/launches'))
          await sleep(100)
        }
      })()
      // People do not wait for each other's pages.
      const looking = setInterval(() => pages.push(look()), 250)
      return {
        async stop() {
          isOver = true
          clearInterval(looking)
          await reading
          const found = { reads, pages: await Promise.all(pages) }
          client.close()
          return found
        },
      }
    },
  }
}

const LETTERS = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz']
const word = (length: number) =>
  Array.from({ length }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join('')

/** What one client may ask of the chain in a minute is 240. */
const REQUESTS = 200

/** One client, within its rate limit, asks for pages of a wallet that has thousands of token accounts. */
export const crowdedWallet: Attack = {
  name: 'crowded wallet',
  async run(target, isShort) {
    let failed = 0
    const figures = await measure(target, isShort, async () => {
      const client = createClient(target.port, { localAddress: '127.3.0.1', connections: 8 })
      const limits = Array.from({ length: isShort ? 40 : REQUESTS }, (_, at) => at + 1)
      await Promise.all(
        limits.map(async limit => {
          const path = `/v1/wallets/${target.chain.crowdedWallet}?limit=${limit}`
          const status = await client.send('GET', path).then(
            answer => answer.status,
            () => 0,
          )
          if (status !== 200) failed += 1
        }),
      )
      client.close()
    })
    return [...figures, { what: 'failed pages of the wallet', value: failed, unit: 'answers', atMost: 0 }]
  },
}

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
