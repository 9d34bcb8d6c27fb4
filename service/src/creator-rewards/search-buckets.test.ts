import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { limitsOfWorker } from '../app/limits.ts'
import { type FaultKind, RpcError } from '../chain/rpc/fault.ts'
import type { WalletBucket } from '../store/buckets.ts'
import { createBoundedSearch, type SearchLimits, type SearchPurpose } from './search-buckets.ts'

const walletOf = (at: number) => `wallet ${at}` as Address
const bucket: WalletBucket = { address: 'bucket' as Address, kind: 'bondingCurveV2' }

function bounded(
  search: (wallet: Address) => Promise<WalletBucket[]>,
  { searchMs = 10_000, ...limits }: Partial<SearchLimits> & { searchMs?: number } = {},
) {
  const seen = { outcomes: [] as string[], refusals: [] as string[], asked: [] as Address[] }
  const clock = { nowMs: 1 }
  const boundedSearch = createBoundedSearch(
    wallet => {
      seen.asked.push(wallet)
      return search(wallet)
    },
    {
      observer: {
        onSearch: outcome => seen.outcomes.push(outcome),
        onRefused: error => seen.refusals.push(error.message),
      },
      searchMs,
      limits,
      now: () => clock.nowMs,
    },
  )
  let clients = 0
  /** Every search comes from another client, unless a client is given. */
  const find = (wallet: Address, purpose: SearchPurpose = 'claim', client = `client ${clients++}`) =>
    boundedSearch(wallet, { client, purpose })
  return { find, seen, clock }
}

const rpcError = (kind: FaultKind) =>
  new RpcError('getProgramAccounts', { kind, code: undefined, endpoint: 'x', detail: '', attempts: 1 })

test('concurrent searches for a wallet share one, and its result is cached for five seconds, even if empty', async () => {
  const { find, seen, clock } = bounded(async wallet => {
    await sleep(10)
    return wallet === walletOf(0) ? [bucket] : []
  })
  const found = await Promise.all(Array.from({ length: 20 }, (_, at) => find(walletOf(at % 2))))
  expect(found.map(({ length }) => length)).toEqual(Array.from({ length: 20 }, (_, at) => 1 - (at % 2)))
  expect(seen.asked).toHaveLength(2)
  clock.nowMs = 4_900
  await find(walletOf(1))
  expect(seen.asked).toHaveLength(2)
  clock.nowMs = 5_100
  await find(walletOf(1))
  expect(seen.asked).toHaveLength(3)
})

test('all wallets share a budget, and a search beyond it is refused rather than empty', async () => {
  const { find, seen, clock } = bounded(async () => [], { burst: 10, perSecond: 2 })
  const ask = (from: number, count: number) =>
    Promise.allSettled(Array.from({ length: count }, (_, at) => find(walletOf(from + at))))
  const first = await ask(0, 50)
  expect(first.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  for (const result of first)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  clock.nowMs = 3_001
  await ask(100, 50)
  expect(seen.asked).toHaveLength(16)
  // A cached result costs nothing.
  expect(await find(walletOf(100))).toEqual([])
  clock.nowMs = 3_600_000
  await ask(200, 50)
  expect(seen.asked).toHaveLength(26)
})

test('the budget refills by fractions of a search, whether or not searches are refused meanwhile', async () => {
  const { find, seen, clock } = bounded(async () => [], { burst: 8, perSecond: 1 })
  for (let at = 0; at < 8; at += 1) await find(walletOf(at))
  for (const at of [100, 101, 102]) {
    clock.nowMs += 250
    await expect(find(walletOf(at))).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  }
  clock.nowMs += 250
  await find(walletOf(103))
  await expect(find(walletOf(104))).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(seen.asked).toHaveLength(9)
})

test('searches beyond the concurrency wait, and searches beyond the waiting limit are refused at once', async () => {
  let running = 0
  let most = 0
  const { find, seen } = bounded(
    async () => {
      running += 1
      most = Math.max(most, running)
      await sleep(10)
      running -= 1
      return []
    },
    { concurrency: 3, waitingMax: 5 },
  )
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => find(walletOf(at))))
  expect(startedOf(results)).toBe(8)
  expect(most).toBe(3)
  expect(seen.outcomes.filter(outcome => outcome === 'limited')).toHaveLength(12)
  await find(walletOf(99))
})

const startedOf = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length

test('previews leave half of the budget and of the places to claims', async () => {
  const { find, seen } = bounded(async () => [], { burst: 10, perSecond: 0 })
  const previews = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => find(walletOf(at), 'preview')),
  )
  expect(startedOf(previews)).toBe(5)
  await Promise.all(Array.from({ length: 5 }, (_, at) => find(walletOf(100 + at), 'claim')))
  expect(seen.asked).toHaveLength(10)

  const busy = bounded(() => new Promise(() => {}), { concurrency: 2, waitingMax: 4 })
  for (let at = 0; at < 10; at += 1) busy.find(walletOf(at), 'preview').catch(() => {})
  expect(busy.seen.outcomes).toEqual(Array(7).fill('limited'))
  for (let at = 0; at < 10; at += 1) busy.find(walletOf(100 + at), 'claim').catch(() => {})
  expect(busy.seen.outcomes).toHaveLength(7 + 7)
})

test('a claim does not wait for previews', async () => {
  const { find, seen } = bounded(wallet =>
    wallet === walletOf(99) ? Promise.resolve([bucket]) : new Promise(() => {}),
  )
  for (let at = 0; at < 10; at += 1) find(walletOf(at), 'preview').catch(() => {})
  expect(await find(walletOf(99), 'claim')).toEqual([bucket])
  // It does not even wait for a preview of the same wallet.
  find(walletOf(50), 'preview').catch(() => {})
  find(walletOf(50), 'claim').catch(() => {})
  await expect.poll(() => new Set(seen.asked)).toEqual(new Set([0, 1, 50, 99].map(walletOf)))
})

test('one client uses at most a quarter of the budget, and at most half of that for previews', async () => {
  const { find, clock } = bounded(async () => [], { burst: 40, perSecond: 4 })
  const ask = (purpose: SearchPurpose, client: string, from: number) =>
    Promise.allSettled(Array.from({ length: 30 }, (_, at) => find(walletOf(from + at), purpose, client)))
  expect(startedOf(await ask('preview', 'greedy', 0))).toBe(5)
  expect(startedOf(await ask('claim', 'greedy', 100))).toBe(5)
  expect(startedOf(await ask('preview', 'other', 200))).toBe(5)
  clock.nowMs = 3_001
  expect(startedOf(await ask('claim', 'greedy', 300))).toBe(3)
})

test.each([1, 2, 8, 9, 20, 64])(
  'with a share of 1/%i of the limits, a client can still search',
  async workers => {
    const { find, clock } = bounded(async () => [], limitsOfWorker(workers).search)
    await find(walletOf(1), 'preview', 'client')
    await find(walletOf(2), 'claim', 'client')
    clock.nowMs += 600_000
    await find(walletOf(3), 'preview', 'client')
  },
)

test('one client has at most a quarter of the places for each purpose', async () => {
  const { find, seen } = bounded(() => new Promise(() => {}), { concurrency: 4, waitingMax: 8, burst: 1_000 })
  for (let at = 0; at < 20; at += 1) find(walletOf(at), 'preview', 'greedy').catch(() => {})
  expect(seen.outcomes).toEqual(Array(17).fill('limited'))
  find(walletOf(100), 'preview', 'other').catch(() => {})
  find(walletOf(101), 'claim', 'greedy').catch(() => {})
  expect(seen.outcomes).toHaveLength(17)
})

test('a client that has used up its share does not make others fail, even for the same wallet', async () => {
  const { find } = bounded(async () => [bucket], { burst: 8, perSecond: 0 })
  for (let at = 0; at < 2; at += 1) await find(walletOf(at), 'claim', 'greedy')
  const [refused, found] = await Promise.allSettled([
    find(walletOf(9), 'claim', 'greedy'),
    find(walletOf(9), 'claim', 'other'),
  ])
  expect(refused).toMatchObject({ reason: { code: 'TOO_MANY_REQUESTS' } })
  expect(found).toMatchObject({ value: [bucket] })
})

test('a search that takes too long fails, and one that had to wait as long is not started', async () => {
  let end = () => {}
  const { find, seen } = bounded(
    () =>
      new Promise(resolve => {
        end = () => resolve([])
      }),
    { concurrency: 1, searchMs: 300 },
  )
  const results = await Promise.allSettled([find(walletOf(0)), find(walletOf(1))])
  for (const result of results) expect(result).toMatchObject({ reason: { name: 'DeadlineExceeded' } })
  end()
  await sleep(10)
  expect(seen.asked).toEqual([walletOf(0)])
  find(walletOf(2)).catch(() => {})
  await expect.poll(() => seen.asked).toEqual([walletOf(0), walletOf(2)])
})

test.each<FaultKind>(['unable', 'refused', 'invalid'])(
  'an RPC that refuses searches (%s) gets one every ten minutes, and the refusal is reported once',
  async kind => {
    let isAllowed = false
    const { find, seen, clock } = bounded(async () => {
      if (isAllowed) return [bucket]
      throw rpcError(kind)
    })
    for (let at = 0; at < 30; at += 1) expect(await find(walletOf(at))).toEqual([])
    expect(seen.asked).toHaveLength(1)
    clock.nowMs = 601_000
    expect(await find(walletOf(1))).toEqual([])
    expect(seen.refusals).toHaveLength(1)
    isAllowed = true
    clock.nowMs = 1_300_000
    expect(await find(walletOf(1))).toEqual([bucket])
    expect(await find(walletOf(2))).toEqual([bucket])
  },
)

test('a search that fails rejects, frees its slot and is not cached', async () => {
  let isDown = true
  const { find, seen } = bounded(
    async () => {
      await sleep(1)
      if (isDown) throw rpcError('timeout')
      return [bucket]
    },
    { concurrency: 1 },
  )
  for (let at = 0; at < 5; at += 1) await expect(find(walletOf(0))).rejects.toThrow('timeout')
  isDown = false
  expect(await find(walletOf(0))).toEqual([bucket])
  expect(seen.refusals).toEqual([])
})
