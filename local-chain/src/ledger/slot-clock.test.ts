import { expect, test } from 'vitest'
import { BLOCKHASHES_VALID, createSlotClock } from './slot-clock.ts'

function clockAt(start: number) {
  let nowMs = start
  const options = { seed: new Uint8Array(32).fill(1), genesisMs: 0, slotMs: 400, now: () => nowMs }
  return {
    options,
    set: (ms: number) => {
      nowMs = ms
    },
    make: (atLeast = 0) => {
      const clock = createSlotClock({ ...options, atLeast })
      clock.advance()
      return clock
    },
  }
}

test('slots and blockhashes depend only on the wall clock and the seed', () => {
  const wall = clockAt(400_000)
  const [first, second] = [wall.make(), wall.make()]
  expect([first.slot(), first.finalizedSlot()]).toEqual([1_000, 968])
  expect(second.blockhash(1_000)).toBe(first.blockhash(1_000))
  expect(new Set([first.blockhash(1_000), first.blockhash(999)]).size).toBe(2)
  wall.set(400_399)
  expect(first.advance()).toBe(false)
  wall.set(400_400)
  expect([first.advance(), first.slot()]).toEqual([true, 1_001])
})

test('a blockhash expires after 150 slots, even if slots are skipped', () => {
  const wall = clockAt(400_000)
  const clock = wall.make()
  const hash = clock.blockhash(1_000)
  wall.set(400_000 + 400 * BLOCKHASHES_VALID)
  clock.advance()
  expect(clock.validSlotOf(hash)).toBe(1_000)
  wall.set(400_000 + 400 * (BLOCKHASHES_VALID + 1))
  clock.advance()
  expect(clock.validSlotOf(hash)).toBeUndefined()
  wall.set(400_000_000)
  clock.advance()
  expect(clock.slot()).toBe(1_000_000)
  expect(clock.validSlotOf(clock.blockhash(1_000_000))).toBe(1_000_000)
})

test('setting the wall clock back neither rewinds nor stops the chain', () => {
  const wall = clockAt(400_000)
  const clock = wall.make()
  wall.set(0)
  const slots = Array.from({ length: 3 }, () => clock.advance() && clock.slot())
  expect(slots).toEqual([1_001, 1_002, 1_003])
  // The same holds after a restart, which continues from the last slot on disk.
  expect(wall.make(2_000).slot()).toBe(2_001)
})

test('slots on disk are final at start-up, and settle makes the current slot final', () => {
  const wall = clockAt(400_000)
  const clock = wall.make(990)
  expect([clock.slot(), clock.finalizedSlot()]).toEqual([1_000, 990])
  clock.settle()
  expect(clock.finalizedSlot()).toBe(1_000)
  wall.set(400_000 + 400 * 40)
  clock.advance()
  expect(clock.finalizedSlot()).toBe(1_008)
})
