import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import type { FaultKind } from '../chain/rpc/fault.ts'
import { RpcError } from '../chain/rpc/rpc-error.ts'
import type { WalletBucket } from '../store/wallet-buckets.ts'
import { createBoundedSearch, type SearchLimits, type SearchOutcome } from './bounded-search.ts'

const walletOf = (at: number) => `wallet ${at}` as Address
const bucket: WalletBucket = { address: 'bucket' as Address, kind: 'bondingCurveV2' }

function bounded(search: (wallet: Address) => Promise<WalletBucket[]>, limits: Partial<SearchLimits> = {}) {
  const seen = { outcomes: [] as SearchOutcome[], refusals: [] as string[], asked: [] as Address[] }
  const clock = { nowMs: 1 }
  const find = createBoundedSearch(
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
  return { find, seen, clock }
}

const rpcError = (kind: FaultKind) =>
  new RpcError('getProgramAccounts', { kind, code: undefined, endpoint: 'x', detail: '', attempts: 1 })

test('a wallet is searched for once at a time, and its result is kept for a few seconds, an empty one too', async () => {
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

test('random wallets get a budget and not more, and nobody is told that there is nothing without a search', async () => {
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
  // What is remembered costs nothing.
  expect(await find(walletOf(100))).toEqual([])
  clock.nowMs = 3_600_000
  await ask(200, 50)
  expect(seen.asked).toHaveLength(26)
})

test('only a few searches run at a time, some wait, and the rest is refused at once', async () => {
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
    { slots: 3, waitingMax: 5 },
  )
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => find(walletOf(at))))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
  expect(most).toBe(3)
  expect(seen.outcomes.filter(outcome => outcome === 'limited')).toHaveLength(12)
  await find(walletOf(99))
})

test.each<FaultKind>(['unable', 'refused', 'invalid'])(
  'nodes that do not allow such questions (%s) are asked once in ten minutes, and it is said once',
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

test('a search that failed otherwise is told, gives its slot back and is not remembered', async () => {
  let isDown = true
  const { find, seen } = bounded(
    async () => {
      await sleep(1)
      if (isDown) throw rpcError('timeout')
      return [bucket]
    },
    { slots: 1 },
  )
  for (let at = 0; at < 5; at += 1) await expect(find(walletOf(0))).rejects.toThrow('timeout')
  isDown = false
  expect(await find(walletOf(0))).toEqual([bucket])
  expect(seen.refusals).toEqual([])
})
