import { expect, test } from 'vitest'
import { createRateLimiter } from './rate-limit.ts'

test('a budget is full again one minute after its first request, and not before', () => {
  let nowMs = 5_000
  const limiter = createRateLimiter({ reads: 2, writes: 1, chainReads: 0, checks: 0 })
  expect(limiter.take('reads', 'a', nowMs)).toEqual({
    allowed: true,
    limit: 2,
    remaining: 1,
    resetSeconds: 60,
  })
  nowMs += 30_500
  expect(limiter.take('reads', 'a', nowMs)).toEqual({
    allowed: true,
    limit: 2,
    remaining: 0,
    resetSeconds: 30,
  })
  expect(limiter.take('reads', 'a', nowMs)?.allowed).toBe(false)
  nowMs = 64_999
  expect(limiter.take('reads', 'a', nowMs)).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 1 })
  nowMs = 65_000
  expect(limiter.take('reads', 'a', nowMs)?.allowed).toBe(true)
})

test('a budget is never more than a minute from full, even if the times are rounded', () => {
  const limiter = createRateLimiter({ reads: 1, writes: 1, chainReads: 0, checks: 0 })
  const startMs = 5_807.07
  expect(startMs + 60_000 - startMs).toBeGreaterThan(60_000)
  expect(limiter.take('reads', 'a', startMs)?.resetSeconds).toBe(60)
})

test('every client has its own budgets', () => {
  const limiter = createRateLimiter({ reads: 1, writes: 1, chainReads: 0, checks: 0 })
  expect(limiter.take('reads', 'a', 0)?.allowed).toBe(true)
  expect(limiter.take('reads', 'b', 0)?.allowed).toBe(true)
  expect(limiter.take('writes', 'a', 0)?.allowed).toBe(true)
  expect(limiter.take('reads', 'a', 0)?.allowed).toBe(false)
})

test('memory stays bounded: the oldest window is evicted first', () => {
  let nowMs = 0
  const limiter = createRateLimiter({ reads: 1, writes: 0, chainReads: 0, checks: 0 })
  limiter.take('reads', 'first', nowMs)
  nowMs = 1
  for (let client = 0; client < 200_000; client += 1) limiter.take('reads', `${client}`, nowMs)
  // The first client was evicted, the last one was not.
  expect(limiter.take('reads', '199999', nowMs)?.allowed).toBe(false)
  expect(limiter.take('reads', 'first', nowMs)?.allowed).toBe(true)
})

test('the seconds to the reset are rounded up, so that a client that waits for them is accepted', () => {
  const startMs = 1_000.25
  for (const afterMs of [0, 0.5, 999.5, 1_000, 30_000.75, 59_999.75]) {
    const limiter = createRateLimiter({ reads: 1, writes: 0, chainReads: 0, checks: 0 })
    limiter.take('reads', 'a', startMs)
    const refused = limiter.take('reads', 'a', startMs + afterMs)
    expect(refused).toMatchObject({ allowed: false, resetSeconds: Math.ceil((60_000 - afterMs) / 1_000) })
    const retryMs = startMs + afterMs + (refused?.resetSeconds ?? 0) * 1_000
    expect(limiter.take('reads', 'a', retryMs)?.allowed).toBe(true)
  }
})

test('health checks have a budget of their own, and preflights have as much as reads and writes together', () => {
  const limiter = createRateLimiter({ reads: 2, writes: 1, chainReads: 0, checks: 4 })
  const allowed = (budget: 'reads' | 'checks' | 'preflights') =>
    Array.from({ length: 5 }, () => limiter.take(budget, 'a', 0)).filter(taken => taken?.allowed).length
  expect([allowed('reads'), allowed('checks'), allowed('preflights')]).toEqual([2, 4, 3])
  const unlimited = createRateLimiter({ reads: 2, writes: 0, chainReads: 0, checks: 0 })
  expect(unlimited.take('preflights', 'a', 0)).toBeUndefined()
  expect(unlimited.take('checks', 'a', 0)).toBeUndefined()
})

/** Clients of one IPv6 /48. */
const campus = (count: number) =>
  Array.from({ length: count }, (_, at) => `2001:db8:1:${at.toString(16)}::/64`)

test('500 clients of one /48 get what 16 clients get, and others get all of theirs', () => {
  const limiter = createRateLimiter({ reads: 10, writes: 10, chainReads: 0, checks: 0 })
  const allowed = (client: string) =>
    Array.from({ length: 12 }, () => limiter.take('reads', client, 0)).filter(taken => taken?.allowed).length
  const all = campus(500).map(allowed)
  expect(all.slice(0, 16)).toEqual(Array(16).fill(10))
  expect(all.slice(16)).toEqual(Array(484).fill(0))
  expect(limiter.take('reads', campus(1)[0] as string, 30_000)).toMatchObject({
    remaining: 0,
    resetSeconds: 30,
  })
  expect(['2001:db8:2:0::/64', '192.0.2.7'].map(allowed)).toEqual([10, 10])
  expect(limiter.take('reads', campus(500)[499] as string, 60_000)?.allowed).toBe(true)
})

test('the clients of a /48 share its limit on all workers', () => {
  const counts = [new Map<string, number>(), new Map<string, number>()] as const
  const limiters = counts.map((own, at) =>
    createRateLimiter(
      { reads: 10, writes: 0, chainReads: 0, checks: 0 },
      {
        set: (key, count) => void own.set(key, count),
        others(key) {
          const count = counts[1 - at]?.get(key)
          return count === undefined ? undefined : { count, endsMs: 60_000 }
        },
        receive() {},
      },
    ),
  )
  const allowed = campus(500).filter((client, at) => limiters[at % 2]?.take('reads', client, 0)?.allowed)
  expect(allowed).toHaveLength(160)
})
