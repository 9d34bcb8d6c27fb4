import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import type { Figure } from '../figure.ts'
import { createClient } from '../http-client.ts'
import { pick, type Random } from '../random.ts'
import type { Target } from '../target.ts'

const AT_ONCE = 64
/** What a visitor asks for is answered within this time, or has failed. */
const PAGE_MS_MAX = 30_000

/** One client asks for pages that differ in their query only, as many at a time as there are places. */
export const pageQueries: Attack = {
  name: 'page queries',
  run: (target, { random, isShort }) =>
    measure(target, isShort, () =>
      // Within its rate limit.
      ask(target.port, '127.0.0.120', 500, at => `/?${at % 2 === 0 ? 'filter' : 'q'}=${word(random)}`),
    ),
}

/** The RPC does not answer, and one client asks for pages that need it. */
export const slowPages: Attack = {
  name: 'slow pages',
  run: (target, { random, isShort }) =>
    measure(target, isShort, async () => {
      target.rpc.hang()
      try {
        // An address of 32 bytes that no one has asked for.
        await ask(target.port, '127.0.0.121', 130, () => `/agents/z${word(random, 42)}`)
      } finally {
        target.rpc.resume()
      }
    }),
}

/** During the attack and after it, another client reads a listing and looks at pages that are not in the cache. */
async function measure(target: Target, isShort: boolean, attack: () => Promise<void>): Promise<Figure[]> {
  const visitor = createVisitor(target.port)
  await visitor.warmUp()
  const watching = visitor.watch()
  await attack()
  const endMs = performance.now()
  await sleep(isShort ? 3_000 : 15_000)
  const { reads, pages } = await watching.stop()
  const during = pages.filter(({ startMs }) => startMs < endMs)
  const after = pages.filter(({ startMs }) => startMs >= endMs)
  const lastFailureMs = Math.max(0, ...after.flatMap(({ isOk, endMs: ms }) => (isOk ? [] : ms - endMs)))
  const firstMs = Math.min(...after.flatMap(({ isOk, endMs: ms }) => (isOk ? ms - endMs : [])))
  const failed = (list: typeof pages) => list.filter(({ isOk }) => !isOk).length
  return [
    {
      what: 'slowest read of another client',
      value: Math.max(...reads),
      unit: 'ms',
      atMost: isShort ? 2_000 : 250,
    },
    {
      what: `failed pages of another client during the attack, of ${during.length}`,
      value: failed(during),
      unit: 'answers',
      atMost: 0,
    },
    { what: 'slowest page of another client during the attack', value: slowest(during), unit: 'ms' },
    {
      what: `failed pages afterwards, of ${after.length}`,
      value: failed(after),
      unit: 'answers',
      atMost: 0,
    },
    {
      what: 'until all pages are back',
      value: Math.max(firstMs, lastFailureMs),
      unit: 'ms',
      atMost: isShort ? 4_000 : 2_000,
    },
  ]
}

const slowest = (pages: { startMs: number; endMs: number }[]) =>
  Math.max(0, ...pages.map(({ startMs, endMs }) => endMs - startMs))

let visitors = 0

/** A client with an address of its own that stays well below its limit. */
function createVisitor(port: number) {
  visitors += 1
  const client = createClient(port, { localAddress: `127.0.1.${visitors}`, connections: 64 })
  let count = 0
  const look = async () => {
    count += 1
    const startMs = performance.now()
    const isOk = await client
      .send('GET', `/?q=visitor-${count}`, { timeoutMs: PAGE_MS_MAX })
      .then(({ status }) => status === 200)
      .catch(() => false)
    return { startMs, endMs: performance.now(), isOk }
  }
  return {
    /** The first page waits until the site is built. */
    async warmUp() {
      for (let good = 0; good < 3; ) good = (await look()).isOk ? good + 1 : 0
    },
    watch() {
      const reads: number[] = []
      const looks: ReturnType<typeof look>[] = []
      let isOver = false
      const reading = (async () => {
        while (!isOver) {
          reads.push((await client.send('GET', '/v1/launches')).ms)
          await sleep(100)
        }
      })()
      // Others do not wait for the page of the one before them.
      const looking = setInterval(() => looks.push(look()), 250)
      return {
        async stop() {
          isOver = true
          clearInterval(looking)
          await reading
          const pages = await Promise.all(looks)
          client.close()
          return { reads, pages }
        },
      }
    },
  }
}

/** Sends many requests, a number of them at a time, whatever the answers are. */
async function ask(
  port: number,
  localAddress: string,
  requests: number,
  pathOf: (at: number) => string,
): Promise<void> {
  const client = createClient(port, { localAddress, connections: AT_ONCE })
  let at = 0
  const send = async () => {
    while (at < requests) {
      at += 1
      await client.send('GET', pathOf(at), { timeoutMs: PAGE_MS_MAX }).catch(() => {})
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
  client.close()
}

const LETTERS = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz']
const word = (random: Random, length = 12) => Array.from({ length }, () => pick(random, LETTERS)).join('')
