import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, type Figure, percentile } from '../attack.ts'
import { createClient } from '../client.ts'
import type { Target } from '../target.ts'

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
export async function measure(
  target: Target,
  isShort: boolean,
  attack: () => Promise<void>,
): Promise<Figure[]> {
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
