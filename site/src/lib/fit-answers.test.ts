import { SlipwayError, type TradeQuote } from '@slipway/client'
import { expect, test } from 'vitest'
import { fitAgent, fitLaunch, fitQuote, fitRewards } from './fit-answers.ts'

test('a launch other than the requested one is not an answer', () => {
  const answer = { launch: { genesisAddress: 'asked' } }
  expect(fitLaunch(answer, 'asked').launch.genesisAddress).toBe('asked')
  expect(() => fitLaunch(answer, 'other')).toThrow(SlipwayError)
})

test('an agent other than the requested one is not an answer', () => {
  const answer = { address: 'asked', name: 'Asked' }
  expect(fitAgent(answer, 'asked').address).toBe('asked')
  for (const address of ['other', undefined])
    expect(() => fitAgent({ ...answer, address }, 'asked')).toThrow(SlipwayError)
})

test('the rewards of a wallet other than the requested one are not an answer', () => {
  const answer = { wallet: 'asked', buckets: [] }
  expect(fitRewards(answer, 'asked').wallet).toBe('asked')
  for (const wallet of ['other', undefined])
    expect(() => fitRewards({ ...answer, wallet }, 'asked')).toThrow(SlipwayError)
})

test('a quote must be about the order, and its minimum within the slippage', () => {
  const order = { side: 'buy', amount: '100', slippageBps: 150 }
  const quote = { side: 'buy', amountIn: '100', amountOut: '999', minAmountOut: '984' }
  const fit = (change: object) => fitQuote({ ...quote, ...change } as TradeQuote, order)
  expect(fit({}).minAmountOut).toBe('984')
  expect(fit({}).priceImpactBps).toBeNull()
  for (const change of [{ side: 'sell' }, { amountIn: '101' }, { minAmountOut: '983' }, { amountOut: '' }])
    expect(() => fit(change)).toThrow(SlipwayError)
})
