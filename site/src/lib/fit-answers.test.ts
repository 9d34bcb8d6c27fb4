import { SlipwayError } from '@slipway/client'
import { expect, test } from 'vitest'
import { fitLaunch } from './fit-answers.ts'

test('a launch other than the one that was asked for is no answer', () => {
  const answer = { launch: { genesisAddress: 'asked' } }
  expect(fitLaunch(answer, 'asked').launch.genesisAddress).toBe('asked')
  expect(() => fitLaunch(answer, 'other')).toThrow(SlipwayError)
})
