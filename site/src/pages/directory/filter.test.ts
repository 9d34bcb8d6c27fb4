import type { LaunchData } from '@slipway/client'
import { expect, test } from 'vitest'
import { applyFilter, directoryHref, indexLaunches, parseFilter } from './filter.ts'

const NETWORKS = ['chain-mainnet', 'chain-devnet']
const NOW_MS = Date.parse('2026-03-04T15:00:00Z')
const parse = (search: string) => parseFilter(new URLSearchParams(search), NETWORKS)

const launchOf = (name: string, launch: object = {}) =>
  ({
    launch: {
      genesisAddress: `Launch${name}`,
      startTime: '2026-03-04T14:00:00Z',
      graduatedAt: null,
      ...launch,
    },
    baseToken: { name, symbol: name.slice(0, 4).toUpperCase(), address: `Mint${name}` },
  }) as unknown as LaunchData

const LAUNCHES = indexLaunches([
  launchOf('Tidewater'),
  launchOf('Glasshouse', { startTime: '2026-03-04T15:00:00.001Z' }),
  launchOf('Orchard', { graduatedAt: '2026-03-04T14:30:00Z' }),
])
const find = (search: string, nowMs = NOW_MS) => {
  const { matches, counts } = applyFilter(LAUNCHES, parse(search), nowMs)
  return { names: matches.map(({ baseToken }) => baseToken.name), counts }
}

test('a search ignores capitals, and finds names, symbols and both addresses', () => {
  for (const text of ['TIDEWATER', 'tidew', 'tIDe', 'launchtidewater', 'MINTTIDE'])
    expect([text, find(`q=${text}`).names]).toEqual([text, ['Tidewater']])
  // The parts are not one text.
  expect(find('q=watertide').names).toEqual([])
})

test('a status selects launches, while the counts are those of the whole search', () => {
  const counts = { all: 3, upcoming: 1, live: 1, graduated: 1 }
  expect(find('status=upcoming')).toEqual({ names: ['Glasshouse'], counts })
  expect(find('status=live')).toEqual({ names: ['Tidewater'], counts })
  expect(find('')).toEqual({ names: ['Tidewater', 'Glasshouse', 'Orchard'], counts })
  expect(find('q=orchard').counts).toEqual({ all: 1, upcoming: 0, live: 0, graduated: 1 })
  // At its very start, a launch is live.
  expect(find('status=upcoming', NOW_MS + 1).names).toEqual([])
})

test('a filter and its address say the same, and values that mean nothing are ignored', () => {
  const href = '/?status=live&network=chain-devnet&q=Tide+%26+sea'
  expect(directoryHref(parse(href.slice(2)), NETWORKS)).toBe(href)
  expect(directoryHref(parse(''), NETWORKS, 2)).toBe('/?page=2')
  expect(directoryHref(parse('status=gone&network=x&q=++'), NETWORKS)).toBe('/')
  expect(parse(`q=${'a'.repeat(65)}`).text).toHaveLength(64)
})
