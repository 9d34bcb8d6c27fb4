import { expect, test } from 'vitest'
import { createRateLimiter } from './rate-limit.ts'

test('a budget is full again a minute after its first request, and no sooner', () => {
  let nowMs = 5_000
  const limiter = createRateLimiter({ reads: 2, writes: 1 })
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

test('clients and budgets do not share', () => {
  const limiter = createRateLimiter({ reads: 1, writes: 1 })
  expect(limiter.take('reads', 'a', 0)?.allowed).toBe(true)
  expect(limiter.take('reads', 'b', 0)?.allowed).toBe(true)
  expect(limiter.take('writes', 'a', 0)?.allowed).toBe(true)
  expect(limiter.take('reads', 'a', 0)?.allowed).toBe(false)
})

test('what is remembered stays bounded: ended windows go first, then the oldest', () => {
  let nowMs = 0
  const limiter = createRateLimiter({ reads: 1, writes: 0 })
  limiter.take('reads', 'first', nowMs)
  nowMs = 1
  for (let client = 0; client < 200_000; client += 1) limiter.take('reads', `${client}`, nowMs)
  // The first one fell out, the last one did not.
  expect(limiter.take('reads', '199999', nowMs)?.allowed).toBe(false)
  expect(limiter.take('reads', 'first', nowMs)?.allowed).toBe(true)
})
