import type { LaunchData, LaunchPage, ListLaunchesRequest } from '@slipway/client'
import { expect, test } from 'vitest'
import { parseLaunchFilter } from './launch-filter.ts'
import { readRows } from './read-rows.ts'

const NETWORKS = ['chain-mainnet']

/** The launches of each list. Cursors are the place where a list goes on. */
const LISTS: Record<string, string> = {
  'live false': 'ab',
  upcoming: 'cd',
  'live true': 'e',
  graduated: 'fg',
}

function listsOf(asked: ListLaunchesRequest[]) {
  async function page(request: ListLaunchesRequest = {}): Promise<LaunchPage> {
    asked.push(request)
    const { status = '', closed, cursor = '0', limit = 50 } = request
    const all = LISTS[[status, closed].filter(part => part !== undefined).join(' ')] ?? 'abcdefg'
    const names = [...all].slice(Number(cursor), Number(cursor) + limit)
    const end = Number(cursor) + names.length
    return {
      launches: names.map(genesisAddress => ({ launch: { genesisAddress } }) as LaunchData),
      next: end < all.length ? `${end}` : null,
      total: all.length,
      figures: names.map(genesisAddress => ({ ...UNREAD, genesisAddress })),
    }
  }
  return { launches: { page } }
}
const UNREAD = { quoteMint: null, quoteDecimals: null, baseDecimals: null, goal: null, current: null }

async function readAll(search: string, limit: number, start?: string) {
  const asked: ListLaunchesRequest[] = []
  const filter = parseLaunchFilter(new URLSearchParams(search), NETWORKS)
  const pages: string[] = []
  const totals = new Set<number>()
  for (let cursor = start; ; ) {
    const { signal } = new AbortController()
    const rows = await readRows(listsOf(asked), filter, { cursor, limit }, { signal })
    const names = rows.launches.map(({ launch }) => launch.genesisAddress)
    expect(Object.keys(rows.figures)).toEqual(names)
    pages.push(names.join(''))
    totals.add(rows.total)
    if (rows.next === null) return { pages, totals: [...totals], asked }
    cursor = rows.next
  }
}

test('pages of the usual order go from one list to the next', async () => {
  expect(await readAll('', 50)).toMatchObject({ pages: ['abcdefg'], totals: [7] })
  expect(await readAll('', 2)).toMatchObject({ pages: ['ab', 'cd', 'ef', 'g'] })
  expect(await readAll('', 3)).toMatchObject({ pages: ['abc', 'def', 'g'] })
})

test('a full page of live launches takes one request', async () => {
  const { signal } = new AbortController()
  const asked: ListLaunchesRequest[] = []
  const filter = parseLaunchFilter(new URLSearchParams(), NETWORKS)
  const rows = await readRows(listsOf(asked), filter, { cursor: undefined, limit: 2 }, { signal })
  expect(rows.next).toBe('1.')
  // The counts of all statuses are asked for elsewhere.
  expect(asked).toEqual([
    { network: 'chain-mainnet', status: 'live', closed: false, sort: 'activity', limit: 2, figures: true },
  ])
})

test('another order is one list, with the cursors of the API', async () => {
  expect(await readAll('sort=raised', 4)).toMatchObject({ pages: ['abcd', 'efg'], totals: [7] })
  expect(await readAll('status=closed', 4)).toMatchObject({ pages: ['e'], totals: [1] })
})

test('a cursor that means nothing is the start', async () => {
  for (const cursor of ['9.x', 'x', '-1.', '7.'])
    expect((await readAll('', 50, cursor)).pages).toEqual(['abcdefg'])
})
