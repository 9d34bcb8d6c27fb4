import { ERRORS, type ErrorCode, ServiceError } from '@slipway/schema/errors'
import { expect, test } from 'vitest'
import { createErrorHelp, describeError } from './explain-error.ts'

const explain = createErrorHelp()

test('an error whose text leaves an amount open is described with that amount', () => {
  const error = new ServiceError('BELOW_MINIMUM', { fill: '0.1 SOL' })
  expect(describeError(explain, error)).toMatchObject({
    text: expect.stringMatching(
      /^Below the minimum deposit of 0\.1 SOL \(BELOW_MINIMUM\)\.\nThe sum of the wallet's deposits/,
    ),
    error: { code: 'BELOW_MINIMUM', message: 'Below the minimum deposit of 0.1 SOL' },
  })
})

test('the help of every error is made of whole sentences', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  expect(codes.filter(code => !/^($|[A-Z`"“])/.test(explain(code)))).toEqual([])
})
