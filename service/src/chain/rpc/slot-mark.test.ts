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
  mark.atLeast(100)
  expect(mark.slot()).toBe(100)
  mark.reached(10 ** 12)
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
