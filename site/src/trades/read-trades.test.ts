import { expect, test } from 'vitest'
import { appendTrades, fitTrades, fitWalletTrades, refreshTrades } from './read-trades.ts'

const listOf = (names: string, next: string | null = null) =>
  fitTrades({ trades: [...names].map(signature => ({ signature, index: 0 })), next })
const namesOf = ({ trades, next }: ReturnType<typeof listOf>) => [
  trades.map(({ signature }) => signature).join(''),
  next,
]

test('new trades come in at the top, and what was loaded further down stays', () => {
  const known = appendTrades(listOf('ef', 'after f'), listOf('gh', 'after h'))
  expect(namesOf(known)).toEqual(['efgh', 'after h'])
  expect(namesOf(refreshTrades(known, listOf('def', 'after f')))).toEqual(['defgh', 'after h'])
  expect(namesOf(refreshTrades(undefined, listOf('ab', 'after b')))).toEqual(['ab', 'after b'])
})

test('new trades take the place of the oldest, so that a page that stays open does not grow', () => {
  expect(namesOf(refreshTrades(listOf('efgh', 'after h'), listOf('cdef', 'after f')))).toEqual([
    'cdef',
    'after f',
  ])
})

test('a list never hides trades that were missed, and drops those that a fork has removed', () => {
  const known = listOf('efgh', 'after h')
  expect(namesOf(refreshTrades(known, listOf('abc', 'after c')))).toEqual(['abc', 'after c'])
  expect(namesOf(refreshTrades(known, listOf('dfg', 'after g')))).toEqual(['dfgh', 'after h'])
  expect(namesOf(refreshTrades(known, listOf('', null)))).toEqual(['', null])
})

test('a trade that can’t be told from others is left out, and so is an amount that is none', () => {
  const { trades, ...rest } = fitTrades({
    trades: [{ index: 0 }, null, { signature: 'a', index: 0, baseAmount: '-1', quoteAmount: '7' }],
  })
  expect(trades).toMatchObject([
    { signature: 'a', baseAmount: '', quoteAmount: '7', price: null, agent: null },
  ])
  expect(rest).toMatchObject({ next: null, complete: true, quoteDecimals: null })
  expect(() => fitTrades({})).toThrow('incomplete answer')
})

test('a wallet’s trade without its launch is left out', () => {
  const trade = { signature: 'a', index: 0, quoteDecimals: 9 }
  const { trades } = fitWalletTrades({ trades: [trade, { ...trade, genesisAddress: 'launch' }] })
  expect(trades).toMatchObject([
    { genesisAddress: 'launch', baseToken: { name: '', image: '' }, quoteMint: null, quoteDecimals: 9 },
  ])
  expect(() => fitWalletTrades({ trades: null })).toThrow('incomplete answer')
})
