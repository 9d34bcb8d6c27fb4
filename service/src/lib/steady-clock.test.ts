import { expect, test } from 'vitest'
import { createSteadyClock } from './steady-clock.ts'

test('time during a suspend counts, and a clock that is set back or adjusted changes nothing', () => {
  let [monotonicMs, clockMs] = [1_000, 1_800_000_000_000]
  const now = createSteadyClock({ monotonic: () => monotonicMs, clock: () => clockMs })
  const pass = (ms: number, onClock: number) => {
    monotonicMs += ms
    clockMs += onClock
    return now()
  }
  expect(pass(10, 10)).toBe(1_010)
  expect(pass(0, 86_400_000)).toBe(86_401_010)
  expect(pass(5, -3_600_000)).toBe(86_401_015)
  expect(pass(1_000, 1_200)).toBe(86_402_015)
})
