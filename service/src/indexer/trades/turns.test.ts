import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const turn = {
  stored: 0,
  isNews: true,
  hasMore: false,
  isBehind: false,
  isUnsettled: false,
  isRefused: false,
  isLate: false,
  hasPool: false,
  fault: undefined,
}

test('a launch that always has more to read holds up no other launch, and a hint during a turn is not lost', () => {
  let nowMs = 0
  const turns = createTurns(1_000, () => nowMs)
  const names = ['a', 'b', 'c'] as Address[]
  turns.add(new Set(names))
  const order: (Address | undefined)[] = []
  const run = (hasMore: (name: Address) => boolean) => {
    nowMs += 1
    const { launch } = turns.next()
    order.push(launch)
    if (launch) turns.ended(launch, { ...turn, hasMore: hasMore(launch) })
  }
  for (let count = 0; count < 6; count++) run(name => name === 'a')
  expect(order).toEqual(['a', 'a', 'b', 'a', 'c', 'a'])
  turns.hint('c' as Address)
  order.length = 0
  for (let count = 0; count < 3; count++) run(name => name === 'a')
  expect(order).toContain('c')

  nowMs += 2_000
  const { launch } = turns.next()
  turns.hint(launch as Address)
  turns.ended(launch as Address, turn)
  nowMs += 1
  const seen = [turns.next().launch]
  for (let count = 0; count < 3; count++) {
    turns.ended(seen.at(-1) as Address, turn)
    seen.push(turns.next().launch)
  }
  expect(seen).toContain(launch)
})

test('an active launch is read before hundreds of idle ones', () => {
  let nowMs = 0
  const turns = createTurns(10_000, () => nowMs)
  const calm = Array.from({ length: 300 }, (_, at) => `calm ${at}` as Address)
  const live = ['live 1', 'live 2', 'live 3'] as Address[]
  turns.add(new Set([...calm, ...live]))
  const order: (Address | undefined)[] = []
  for (let count = 0; count < 60; count++) {
    for (const name of live) turns.hint(name)
    nowMs += 100
    const { launch } = turns.next()
    order.push(launch)
    if (launch) turns.ended(launch, turn)
  }
  expect(order.slice(0, 4).toSorted()).toEqual(['calm 0', ...live])
  expect(new Set(order).size).toBe(20 + live.length)
})

test.each([
  [{ hasPool: true }, 30_000],
  [{ isBehind: true }, 600_000],
  [{}, 3_600_000],
])('an idle launch (%o) is checked at least every %i ms', (more, pauseMs) => {
  let nowMs = 0
  const turns = createTurns(10_000, () => nowMs)
  const launch = 'quiet' as Address
  turns.add(new Set([launch]))
  for (let count = 0; count < 12; count++) {
    expect(turns.next().launch).toBe(launch)
    turns.ended(launch, { ...turn, isNews: false, ...more })
    nowMs += turns.next().waitMs
  }
  const sinceMs = nowMs
  turns.next()
  turns.ended(launch, { ...turn, isNews: false, ...more })
  expect(turns.next().waitMs).toBe(pauseMs)
  nowMs = sinceMs + 5
  turns.hint(launch)
  expect(turns.next().launch).toBe(launch)
})

test('a launch whose turn fails waits longer each time, even after hints, and other launches are not held up', () => {
  let nowMs = 0
  const turns = createTurns(10_000, () => nowMs)
  const [failing, other] = ['failing', 'other'] as [Address, Address]
  turns.add(new Set([failing, other]))
  const failedAt: number[] = []
  let others = 0
  for (; nowMs < 40_000; nowMs += 500) {
    turns.hint(other)
    turns.hint(failing)
    for (let { launch } = turns.next(); launch; { launch } = turns.next()) {
      if (launch === other) turns.ended(other, turn)
      else turns.failed(failing, 'failed')
      if (launch === failing) failedAt.push(nowMs)
      else others += 1
    }
  }
  expect(failedAt).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000])
  expect(others).toBe(80)
})

test('a launch that waits after a hint is overdue, and an idle one is not', () => {
  let nowMs = 0
  const turns = createTurns(10_000, () => nowMs)
  const [calm, live] = ['calm', 'live'] as [Address, Address]
  turns.add(new Set([calm, live]))
  nowMs = 60_000
  expect(turns.overdueMs()).toBe(0)
  turns.hint(live)
  expect(turns.overdueMs()).toBe(0)
  nowMs = 100_000
  expect(turns.overdueMs()).toBe(40_000)
  expect(turns.next().launch).toBe(live)
  turns.ended(live, turn)
  expect(turns.overdueMs()).toBe(0)
})
