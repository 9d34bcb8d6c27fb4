import { expect, test } from 'vitest'
import { BLOCKHASHES_VALID, createSlotClock } from '../src/ledger/slot-clock.ts'

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

test('slots and blockhashes follow from the wall clock and the seed alone', () => {
  const world = clockAt(400_000)
  const [first, second] = [world.make(), world.make()]
  expect([first.slot(), first.finalizedSlot()]).toEqual([1_000, 968])
  expect(second.blockhash(1_000)).toBe(first.blockhash(1_000))
  expect(new Set([first.blockhash(1_000), first.blockhash(999)]).size).toBe(2)
  world.set(400_399)
  expect(first.advance()).toBe(false)
  world.set(400_400)
  expect([first.advance(), first.slot()]).toEqual([true, 1_001])
})

test('a long sleep skips slots, and old blockhashes with them', () => {
  const world = clockAt(400_000)
  const clock = world.make()
  const hash = clock.blockhash(1_000)
  world.set(400_000 + 400 * BLOCKHASHES_VALID)
  clock.advance()
  expect(clock.validSlotOf(hash)).toBe(1_000)
  world.set(400_000 + 400 * (BLOCKHASHES_VALID + 1))
  clock.advance()
  expect(clock.validSlotOf(hash)).toBeUndefined()
  world.set(400_000_000)
  clock.advance()
  expect(clock.slot()).toBe(1_000_000)
  expect(clock.validSlotOf(clock.blockhash(1_000_000))).toBe(1_000_000)
})

test('a wall clock that was set back neither turns the chain back nor stops it', () => {
  const world = clockAt(400_000)
  const clock = world.make()
  world.set(0)
  const slots = Array.from({ length: 3 }, () => clock.advance() && clock.slot())
  expect(slots).toEqual([1_001, 1_002, 1_003])
  // Nor does a restart, which knows the last slot that was written.
  expect(world.make(2_000).slot()).toBe(2_001)
})

test('what a chain starts with is final, and what it is told to settle', () => {
  const world = clockAt(400_000)
  const clock = world.make(990)
  expect([clock.slot(), clock.finalizedSlot()]).toEqual([1_000, 990])
  clock.settle()
  expect(clock.finalizedSlot()).toBe(1_000)
  world.set(400_000 + 400 * 40)
  clock.advance()
  expect(clock.finalizedSlot()).toBe(1_008)
})
