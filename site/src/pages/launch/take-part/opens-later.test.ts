import type { LaunchDetail } from '@slipway/client'
import { NEW_CURVE, quoteOnCurve } from '@slipway/launch-model/trade/curve'
import { expect, test } from 'vitest'
import { countBought, toCalendarEvent } from './opens-later.tsx'

const launchOf = (mechanic: string) => ({ launch: { mechanic } }) as LaunchDetail
const SUPPLY = 800_000_000_000_000n
const figures = { price: '0.00000003', supply: `${SUPPLY}`, quoteDecimals: 9, baseDecimals: 6 }
const virtual = { quote: 30_000_000_000n, base: 200_000_000_000_000n }
const terms = {
  fees: [{ share: 0.01, text: 'of each purchase', on: 'paying' as const }],
  virtualReserves: { quote: `${virtual.quote}`, base: `${virtual.base}` },
}

test('what 1 SOL buys on a new curve is what the program gives for it', () => {
  const curve = { ...NEW_CURVE, baseTokenBalance: SUPPLY, virtualReserves: virtual, depositFee: 100n }
  const trade = quoteOnCurve(curve, { side: 'buy', mode: 'in', amount: 1_000_000_000n })
  const got = typeof trade === 'object' ? Number(trade.amountOut) / 1e6 : 0
  expect(got).toBeGreaterThan(30_000_000)
  expect(countBought(launchOf('bondingCurveV2'), figures, terms)).toBeCloseTo(got, 3)
})

test('what 1 SOL buys in a presale follows from its price and fee, and deposits share what a launch pool sells', () => {
  expect(countBought(launchOf('presaleV2'), figures, { fees: terms.fees })).toBeCloseTo(33_000_000, 3)
  const leaving = [{ share: 0.5, text: 'of each withdrawal', on: 'leaving' as const }]
  expect(countBought(launchOf('presaleV2'), figures, { fees: leaving })).toBeCloseTo(100_000_000 / 3, 3)
  expect(countBought(launchOf('presaleV2'), { ...figures, price: null }, terms)).toBeUndefined()
  expect(countBought(launchOf('launchpoolV2'), figures, terms)).toBeUndefined()
})

test('nothing is promised where a wallet has the first buy', () => {
  const firstBuy = { buyer: 'wallet', amount: '1' }
  expect(countBought(launchOf('bondingCurveV2'), figures, { ...terms, firstBuy })).toBeUndefined()
})

const EVENT = {
  id: 'launch',
  title: 'Tidewater',
  url: 'https://slipway.example/launches/launch',
  startTime: '2026-11-19T05:28:43.000Z',
}

test('the event begins when the launch opens, in UTC', () => {
  const lines = toCalendarEvent(EVENT).split('\r\n')
  expect(lines).toContain('DTSTART:20261119T052843Z')
  expect(lines).toContain('SUMMARY:Tidewater opens')
  expect(lines).toContain('URL:https://slipway.example/launches/launch')
})

test('a name can’t add lines, and its punctuation is escaped', () => {
  const text = toCalendarEvent({ ...EVENT, title: 'A\r\nURL:https://evil.example\u2028; B, \\C' })
  expect(text.split(/[\r\n]+/).filter(line => line.startsWith('URL'))).toEqual([`URL:${EVENT.url}`])
  expect(text).toContain('SUMMARY:A URL:https://evil.example')
  expect(text).toContain(String.raw`\; B\, \\C opens`)
})

test('a long name is cut between its characters', () => {
  expect(toCalendarEvent({ ...EVENT, title: '🚢'.repeat(99) })).toContain(`SUMMARY:${'🚢'.repeat(60)} opens`)
})
