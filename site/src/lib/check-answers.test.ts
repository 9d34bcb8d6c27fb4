import {
  type Agent,
  type CreatorRewards,
  type LaunchDetail,
  SlipwayError,
  type TradeQuote,
} from '@slipway/client'
import { expect, test } from 'vitest'
import { checkAgent, checkLaunch, checkQuote, checkRewards } from './check-answers.ts'

test('a launch other than the requested one is not an answer', () => {
  const answer = { launch: { genesisAddress: 'asked' } } as LaunchDetail
  expect(checkLaunch(answer, 'asked').launch.genesisAddress).toBe('asked')
  expect(() => checkLaunch(answer, 'other')).toThrow(SlipwayError)
})

test('an agent other than the requested one is not an answer', () => {
  const answer = { address: 'asked', name: 'Asked' }
  expect(checkAgent(answer as Agent, 'asked').address).toBe('asked')
  for (const address of ['other', undefined])
    expect(() => checkAgent({ ...answer, address } as Agent, 'asked')).toThrow(SlipwayError)
})

test('the rewards of a wallet other than the requested one are not an answer', () => {
  const answer = { wallet: 'asked', buckets: [] }
  expect(checkRewards(answer as unknown as CreatorRewards, 'asked').wallet).toBe('asked')
  for (const wallet of ['other', undefined])
    expect(() => checkRewards({ ...answer, wallet } as unknown as CreatorRewards, 'asked')).toThrow(
      SlipwayError,
    )
})

test('a quote must be about the order, and its minimum within the slippage', () => {
  const order = { side: 'buy', amount: '100', slippageBps: 150 }
  const quote = { side: 'buy', amountIn: '100', amountOut: '999', minAmountOut: '984' }
  const check = (change: object) => checkQuote({ ...quote, ...change } as TradeQuote, order)
  expect(check({}).minAmountOut).toBe('984')
  for (const change of [{ side: 'sell' }, { amountIn: '101' }, { minAmountOut: '983' }, { amountOut: '' }])
    expect(() => check(change)).toThrow(SlipwayError)
})
