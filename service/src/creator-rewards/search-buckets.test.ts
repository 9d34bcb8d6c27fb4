// @module-tag timing
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import type { FaultKind } from '../chain/rpc/fault.ts'
import { RpcError } from '../chain/rpc/rpc-error.ts'
import type { WalletBucket } from '../store/wallet-buckets.ts'
import { createBoundedSearch, type SearchLimits, type SearchPurpose } from './search-buckets.ts'

const walletOf = (at: number) => `wallet ${at}` as Address
const bucket: WalletBucket = { address: 'bucket' as Address, kind: 'bondingCurveV2' }

function bounded(search: (wallet: Address) => Promise<WalletBucket[]>, limits: Partial<SearchLimits> = {}) {
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
      limits,
      now: () => clock.nowMs,
    },
  )
  const find = (wallet: Address, purpose: SearchPurpose = 'claim') => boundedSearch(wallet, purpose)
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
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
  expect(most).toBe(3)
  expect(seen.outcomes.filter(outcome => outcome === 'limited')).toHaveLength(12)
  await find(walletOf(99))
})

test('previews leave half of the budget and of the queue to claims', async () => {
  const { find, seen } = bounded(async () => [], { burst: 10, perSecond: 0 })
  const previews = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => find(walletOf(at), 'preview')),
  )
  expect(previews.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  await Promise.all(Array.from({ length: 5 }, (_, at) => find(walletOf(100 + at), 'claim')))
  expect(seen.asked).toHaveLength(10)

  const busy = bounded(() => new Promise(() => {}), { concurrency: 1, waitingMax: 4 })
  for (let at = 0; at < 10; at += 1) busy.find(walletOf(at), 'preview').catch(() => {})
  expect(busy.seen.outcomes).toEqual(Array(7).fill('limited'))
  for (let at = 0; at < 10; at += 1) busy.find(walletOf(100 + at), 'claim').catch(() => {})
  expect(busy.seen.outcomes).toHaveLength(7 + 8)
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
