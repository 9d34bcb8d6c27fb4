import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CURRENT_MS, createCatchUp } from './catch-up.ts'

/** A worker whose reads of what it missed end on request. */
function prepare() {
  let nowMs = 10_000
  const reads: { finish(): void; fail(error: Error): void }[] = []
  const catchUp = createCatchUp(
    () => new Promise<void>((finish, fail) => reads.push({ finish, fail })),
    () => nowMs,
  )
  return {
    ...catchUp,
    reads,
    now: () => nowMs,
    pass(ms: number) {
      nowMs += ms
    },
  }
}

test('a worker that has hung reads what it missed before it answers a request or a ping', async () => {
  const { ping, show, isCurrent, reads, now, pass } = prepare()
  const first = ping(now())
  expect(isCurrent()).toBe(false)
  reads[0]?.finish()
  await first
  expect([isCurrent(), await show(), reads.length]).toEqual([true, true, 1])

  const sentMs = now()
  pass(CURRENT_MS)
  const outcomes: unknown[] = []
  const request = show().then(isShown => outcomes.push(isShown))
  await nextTurn()
  expect([reads.length, outcomes]).toEqual([2, []])
  reads[1]?.finish()
  await request
  const late = ping(sentMs)
  reads[2]?.finish()
  await late
  // Until its answer arrives, changes may be confirmed without this worker. Only the next ping proves that it arrived.
  expect([outcomes, isCurrent()]).toEqual([[true], false])
  const next = ping(now())
  reads[3]?.finish()
  await next
  expect(isCurrent()).toBe(true)
})

test('a worker that cannot read what it missed answers no request, and every ping that it cannot', async () => {
  const { ping, show, isCurrent, reads, now } = prepare()
  const answer = show()
  reads[0]?.fail(new Error('the store is down'))
  expect(await answer).toBe(false)
  const first = ping(now())
  reads[1]?.fail(new Error('the store is down'))
  expect([await first, isCurrent()]).toEqual([false, false])
  const second = ping(now())
  reads[2]?.finish()
  expect(await second).toBe(true)
  expect(isCurrent()).toBe(true)
})
