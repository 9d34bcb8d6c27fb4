import { expect, test } from 'vitest'
import { createSlotMark } from './slot-mark.ts'

test('an answer that was overtaken on the way takes nothing back, and is no sign that the mark was reached', () => {
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

test('a mark that is reached again starts the minute anew', () => {
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
