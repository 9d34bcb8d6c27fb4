import type { LaunchTrades } from '@slipway/client'
import { expect, test } from 'vitest'
import { appendTrades, refreshTrades } from './read-trades.ts'

const listOf = (names: string, next: string | null = null) =>
  ({ trades: [...names].map(signature => ({ signature, index: 0 })), next }) as LaunchTrades
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
