import { expect, test } from 'vitest'
import { createSlotTime } from './slot-time.ts'

function measure() {
  let nowMs = 1_800_000_000_000
  let slot = 1_000_000
  const time = createSlotTime({ clock: () => nowMs })
  return {
    time,
    /** Answers come at uneven intervals, each as of the slot that the chain is in. */
    pass(ms: number, slotMs: number, everyMs = 700) {
      let rest = 0
      for (let passed = 0; passed < ms; passed += everyMs) {
        nowMs += everyMs
        rest += everyMs
        const slots = Math.floor(rest / slotMs)
        rest -= slots * slotMs
        slot += slots
        if (slots > 0) time.note(slot)
      }
    },
    setClock(ms: number) {
      nowMs += ms
    },
  }
}

test.each([50, 200, 400, 1_500])('a slot time of %i ms is measured within ten seconds', slotMs => {
  const { time, pass } = measure()
  expect(time.measuredMs()).toBe(undefined)
  pass(10_000, slotMs)
  expect(time.slotMs() / slotMs).toBeGreaterThan(0.75)
  expect(time.slotMs() / slotMs).toBeLessThan(1.35)
  pass(120_000, slotMs)
  expect(time.slotMs() / slotMs).toBeCloseTo(1, 1)
})

test('a change of the slot time shows within a minute or so', () => {
  const { time, pass } = measure()
  pass(600_000, 400)
  pass(70_000, 200)
  expect(time.slotMs()).toBeCloseTo(200, -1)
})

test('a gap without answers does not spoil it', () => {
  const { time, pass } = measure()
  pass(60_000, 200)
  pass(3_600_000, 200, 3_600_000)
  pass(2_000, 200)
  expect(time.slotMs()).toBeCloseTo(200, -1)
})

test('a clock that is set spoils it for two minutes at most, and never beyond the bounds', () => {
  for (const ms of [-3_600_000, 3_600_000]) {
    const { time, pass, setClock } = measure()
    pass(60_000, 200)
    setClock(ms)
    pass(10_000, 200)
    expect(time.slotMs()).toBeLessThanOrEqual(2_000)
    pass(110_000, 200)
    expect(time.slotMs()).toBeCloseTo(200, -1)
  }
})
