import { expect, test } from 'vitest'
import { createSlotWatch } from './slot-watch.ts'

test('an unreported parent slot is noticed; skipped slots and slots before the subscription are not', () => {
  const slots = createSlotWatch({ slotMs: () => 400 })
  // The slot before the subscription does not have to be reported.
  expect(slots.report(10, 9)).toBe(false)
  expect(slots.report(11, 10)).toBe(false)
  // The slots in between have no blocks.
  expect(slots.report(15, 11)).toBe(false)
  // A fork from before the subscription.
  expect(slots.report(16, 8)).toBe(false)
  // 17 was never reported.
  expect(slots.report(18, 17)).toBe(true)
  slots.restart()
  expect(slots.report(30, 29)).toBe(false)
  for (let slot = 31; slot < 3_000; slot += 1) expect(slots.report(slot, slot - 1)).toBe(false)
})

test('the distance of a subscription is returned only if it is far behind or far ahead of the endpoints', () => {
  const slots = createSlotWatch({ slotMs: () => 400 })
  expect(slots.distance(1_000)).toBe(undefined)
  slots.report(900, 899)
  expect(slots.distance(950)).toBe(undefined)
  expect(slots.distance(951)).toBe(51)
  expect(slots.distance(750)).toBe(undefined)
  expect(slots.distance(749)).toBe(151)
  slots.restart()
  expect(slots.distance(951)).toBe(undefined)
})

test('a slot is settled a while after it was the newest, and its time is remembered', () => {
  let nowMs = 1_000_000
  const slots = createSlotWatch({ slotMs: () => 400, clock: () => nowMs })
  expect(slots.settle(5)).toEqual({ slot: 0 })
  nowMs += 500
  expect(slots.settle(6)).toEqual({ slot: 0 })
  nowMs += 500
  expect(slots.settle(8)).toMatchObject({ slot: 5 })
  expect(slots.newest()).toBe(8)
  expect(slots.timeOf(6)).toEqual(new Date(1_000_500))
  expect(slots.timeOf(7)).toEqual(new Date(1_001_000))
})

test('a slot that turns out not to exist is never settled', () => {
  let nowMs = 1_000_000
  const slots = createSlotWatch({ slotMs: () => 400, clock: () => nowMs })
  slots.settle(5)
  slots.settle(400_000_000)
  nowMs += 60_000
  expect(slots.settle(155)).toEqual({ slot: 5, atMs: 1_000_000 })
  expect(slots.newest()).toBe(155)
})
