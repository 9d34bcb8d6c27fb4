import { expect, test } from 'vitest'
import { createSlotWatch } from './slot-watch.ts'

test('a parent that was not told is noticed; slots that were passed by are not, nor what was before the subscription', () => {
  const slots = createSlotWatch()
  // Nobody promised to tell of the one before.
  expect(slots.told(10, 9)).toBe(false)
  expect(slots.told(11, 10)).toBe(false)
  // Nobody led the slots between.
  expect(slots.told(15, 11)).toBe(false)
  // A fork that began before the subscription did.
  expect(slots.told(16, 8)).toBe(false)
  // 17 was never told.
  expect(slots.told(18, 17)).toBe(true)
  slots.restart()
  expect(slots.told(30, 29)).toBe(false)
  for (let slot = 31; slot < 3_000; slot += 1) expect(slots.told(slot, slot - 1)).toBe(false)
})

test('a node that tells of slots long past is behind; one that has told nothing yet is not', () => {
  const slots = createSlotWatch()
  expect(slots.isBehind(1_000, 50)).toBe(false)
  slots.told(900, 899)
  expect(slots.isBehind(950, 50)).toBe(false)
  expect(slots.isBehind(951, 50)).toBe(true)
  slots.restart()
  expect(slots.isBehind(951, 50)).toBe(false)
})

test('a slot is settled a while after it was the newest, and its time is remembered', () => {
  let nowMs = 1_000_000
  const slots = createSlotWatch({ clock: () => nowMs })
  expect(slots.settle(5)).toEqual({ slot: 0 })
  nowMs += 500
  expect(slots.settle(6)).toEqual({ slot: 0 })
  nowMs += 500
  expect(slots.settle(8)).toMatchObject({ slot: 5 })
  expect(slots.newest()).toBe(8)
  expect(slots.timeOf(6)).toEqual(new Date(1_000_500))
  expect(slots.timeOf(7)).toEqual(new Date(1_001_000))
})
