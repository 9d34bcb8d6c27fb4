import { expect, test } from 'vitest'
import type { Call } from '../call.ts'
import { decodeCall, encodeCall } from '../call.ts'
import { setLaunchPoolBehaviors } from './launch-pool.ts'

test('an instruction whose flag is neither 0 nor 1 is refused, because a program may read it differently', () => {
  const args = { endBehaviors: [{ kind: 'None' as const, processed: false }] }
  const { data } = encodeCall({ kind: setLaunchPoolBehaviors, args, accounts: [] } as unknown as Call)
  expect(decodeCall(setLaunchPoolBehaviors, data)).toEqual(args)
  // The number, padding, the length of the list and the kind come before the flag.
  const flag = 9
  expect(decodeCall(setLaunchPoolBehaviors, data.with(flag, 1))).toMatchObject({
    endBehaviors: [{ processed: true }],
  })
  expect(() => decodeCall(setLaunchPoolBehaviors, data.with(flag, 2))).toThrow('neither on nor off')
})
