import { expect, test } from 'vitest'
import { createSlotMark } from './slot-mark.ts'

test('an older answer neither lowers the mark nor counts as reaching it', () => {
  let nowMs = 0
  const mark = createSlotMark({ unreachedMsMax: 1_000, clock: () => nowMs })
  mark.reached(105)
  mark.missed()
  nowMs = 999
  mark.reached(102)
  expect(mark.slot()).toBe(105)
  nowMs = 1_000
  mark.missed()
  expect(mark.slot()).toBe(0)
})

test('reaching the mark again restarts the minute', () => {
  let nowMs = 0
  const mark = createSlotMark({ unreachedMsMax: 1_000, clock: () => nowMs })
  mark.reached(105)
  mark.missed()
  nowMs = 999
  mark.reached(105)
  mark.missed()
  nowMs = 1_998
  mark.missed()
  expect(mark.slot()).toBe(105)
})

test('a mark that no endpoint reaches falls back to the slot that the index has confirmed, never below it', () => {
  let nowMs = 0
  const mark = createSlotMark({ unreachedMsMax: 1_000, clock: () => nowMs })
  mark.atLeast(100, new Date(nowMs))
  expect(mark.slot()).toBe(100)
  mark.reached(900)
  mark.missed()
  nowMs = 1_000
  mark.missed()
  expect(mark.slot()).toBe(100)
  mark.missed()
  nowMs = 5_000
  mark.missed()
  expect(mark.slot()).toBe(100)
  mark.reached(150)
  mark.goBackTo(20)
  expect(mark.slot()).toBe(100)
  mark.reset()
  expect(mark.slot()).toBe(0)
})

test('a slot that the chain cannot have reached yet is refused and raises neither the mark nor the floor', () => {
  let nowMs = 1_000_000
  const mark = createSlotMark({ clock: () => nowMs })
  expect(mark.reached(5_000)).toBe(true)
  expect(mark.reached(1_005_000)).toBe(false)
  mark.atLeast(1_005_000, new Date(nowMs))
  expect(mark.slot()).toBe(5_000)
  expect(mark.reached(5_900)).toBe(true)
  // An hour later, 9,000 slots are ordinary.
  nowMs += 3_600_000
  expect(mark.reached(14_900)).toBe(true)
  expect(mark.reached(1_005_000)).toBe(false)
})

test('a slot confirmed in the past allows for the slots since then', () => {
  const nowMs = 100_000_000
  const mark = createSlotMark({ clock: () => nowMs })
  mark.atLeast(5_000, new Date(nowMs - 86_400_000))
  expect(mark.reached(5_000 + 216_000)).toBe(true)
})
