import { expect, test } from 'vitest'
import { leaveRoomForPenalty } from './amounts.ts'

test('the most that can be deposited leaves room for the penalty, also if half the funds are refused', async () => {
  const tenth = async (units: bigint) => units / 10n
  const refused = async () => {
    throw new Error('refused')
  }
  // A tenth, and a hundredth that the penalty may grow by.
  expect(await leaveRoomForPenalty(1_110_000n, tenth)).toBe(1_000_000n)
  expect(
    await leaveRoomForPenalty(1_110_000n, units => (units < 1_000_000n ? refused() : tenth(units))),
  ).toBe(1_000_000n)
  expect(await leaveRoomForPenalty(1_110_000n, async () => 0n)).toBeUndefined()
  expect(await leaveRoomForPenalty(1_110_000n, refused)).toBeUndefined()
})
