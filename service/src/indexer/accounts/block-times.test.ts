import { expect, test } from 'vitest'
import { addressOf } from '../../testing/launch-rows.ts'
import { createBlockTimes } from './block-times.ts'

const SECOND = 1_700_000_000
const at = (seconds: number) => new Date(seconds * 1_000)

test('the last change is the newest transaction that did not fail and is not after the slot that was read', async () => {
  const times = createBlockTimes({
    fetchSignatures: async () => [
      { signature: 'd', slot: 40, failed: false, isFinal: true, blockTime: SECOND + 40 },
      { signature: 'c', slot: 30, failed: true, isFinal: true, blockTime: SECOND + 30 },
      { signature: 'b', slot: 20, failed: false, isFinal: true, blockTime: undefined },
      { signature: 'a', slot: 10, failed: false, isFinal: true, blockTime: SECOND + 10 },
    ],
    fetchBlockTime: async slot => SECOND + slot,
  })
  const address = addressOf('bucket')
  expect(await times.ofLastChange(address, 45)).toEqual(at(SECOND + 40))
  expect(await times.ofLastChange(address, 35)).toEqual(at(SECOND + 20))
  expect(await times.ofLastChange(address, 15)).toEqual(at(SECOND + 10))
  expect(await times.ofLastChange(address, 5)).toBe(undefined)
})

test('concurrent callers share the wait for a late block time, and a failure is not cached', async () => {
  const answers: (number | undefined | Error)[] = [new Error('down'), undefined, SECOND]
  let calls = 0
  const times = createBlockTimes({
    fetchSignatures: async () => [],
    async fetchBlockTime() {
      const answer = answers[calls++]
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  await expect(times.of(7)).rejects.toThrow('down')
  expect(await Promise.all([times.of(7), times.of(7)])).toEqual([at(SECOND), at(SECOND)])
  expect(calls).toBe(3)
})
