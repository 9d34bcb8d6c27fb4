import type { LaunchData, LaunchPage, ListLaunchesRequest } from '@slipway/client'
import { expect, test } from 'vitest'
import { appendRows, type LaunchRows, putRow, readRows, refreshRows, removeRow } from './launch-rows.ts'
import { type LaunchFilter, parseLaunchFilter } from './launches.ts'

const NOW_MS = Date.parse('2026-03-04T15:00:00.000Z')
const at = (minutes: number) => new Date(NOW_MS + minutes * 60_000).toISOString()

const launchOf = (name: string, launch: object = {}) =>
  ({
    launch: {
      genesisAddress: name,
      mechanic: 'launchpoolV2',
      startTime: at(-600),
      endTime: at(600),
      graduatedAt: null,
      lastActivityAt: at(-60),
      ...launch,
    },
  }) as LaunchData

const EVERYTHING: LaunchFilter = {
  network: 'chain-mainnet',
  status: undefined,
  mechanic: undefined,
  sort: 'activity',
  text: '',
  cursor: undefined,
}

/** `a` was active a minute ago, `b` two minutes ago, and so on. */
const active = (name: string) => launchOf(name, { lastActivityAt: at(96 - name.charCodeAt(0)) })
const rowsOf = (names: string, next: string | null = null, total = names.length): LaunchRows => ({
  launches: [...names].map(active),
  next,
  total,
  figures: {},
})
const shown = ({ launches, next, total }: LaunchRows) =>
  `${launches.map(({ launch }) => launch.genesisAddress).join('')} ${next ?? 'end'} ${total}`
const put = (rows: LaunchRows, data: LaunchData, filter: Partial<LaunchFilter> = {}, isNew = false) =>
  shown(putRow(rows, { ...EVERYTHING, ...filter }, data, { nowMs: NOW_MS, isNew }))

test('a launch that was active rises, and one that was not loaded arrives above', () => {
  const now = { lastActivityAt: at(0) }
  expect(put(rowsOf('abc'), launchOf('c', now))).toBe('cab end 3')
  expect(put(rowsOf('abc', 'more', 900), launchOf('z', now))).toBe('zabc more 900')
  expect(put(rowsOf('abc', 'more', 900), launchOf('z', now), {}, true)).toBe('zabc more 901')
})

test('a launch whose place is beyond the loaded ones is left to the next page', () => {
  expect(put(rowsOf('abc', 'more', 900), active('f'))).toBe('abc more 900')
  expect(put(rowsOf('abc'), active('f'))).toBe('abcf end 3')
  expect(put(rowsOf('abc', 'more', 900), active('c'))).toBe('abc more 900')
})

test('a launch leaves a list whose status or mechanic it no longer has', () => {
  const graduated = launchOf('b', { graduatedAt: at(0), lastActivityAt: at(0) })
  expect(put(rowsOf('abc'), graduated, { status: 'live' })).toBe('ac end 2')
  expect(put(rowsOf('abc'), graduated)).toBe('bac end 3')
  expect(put(rowsOf('abc'), launchOf('z', { startTime: at(1) }), { status: 'live' })).toBe('abc end 3')
  expect(put(rowsOf('abc'), launchOf('z', { lastActivityAt: at(0) }), { mechanic: 'presaleV2' })).toBe(
    'abc end 3',
  )
})

test('rows keep their places in an order that only the service knows, in a search and after a cursor', () => {
  const now = { lastActivityAt: at(0) }
  for (const filter of [
    { sort: 'raised' },
    { sort: 'progress' },
    { text: 'tide' },
    { cursor: 'x' },
  ] as const) {
    expect(put(rowsOf('abc'), launchOf('c', now), filter)).toBe('abc end 3')
    expect(put(rowsOf('abc'), launchOf('z', now), filter, true)).toBe('abc end 3')
  }
  const [, , third] = putRow(rowsOf('abc'), { ...EVERYTHING, sort: 'raised' }, launchOf('c', now), {
    nowMs: NOW_MS,
  }).launches
  expect(third?.launch.lastActivityAt).toBe(at(0))
})

test('the newest launches begin with one that was just registered, and no other moves', () => {
  expect(put(rowsOf('abc'), launchOf('z'), { sort: 'newest' }, true)).toBe('zabc end 4')
  expect(put(rowsOf('abc'), launchOf('c', { lastActivityAt: at(0) }), { sort: 'newest' })).toBe('abc end 3')
})

test('the next to end come first, then those without an end, then the last that ended', () => {
  const ends = { a: at(5), b: at(10), c: '9999-12-31T23:59:59.999Z', d: at(-1), e: at(-9) }
  const launches = Object.entries(ends).map(([name, endTime]) => launchOf(name, { endTime }))
  const rows = { ...rowsOf(''), launches, total: 5 }
  const ending = (endTime: string) => put(rows, launchOf('z', { endTime }), { sort: 'ending' })
  expect(ending(at(7))).toBe('azbcde end 5')
  expect(ending(at(999_999))).toBe('abzcde end 5')
  expect(ending(at(-5))).toBe('abcdze end 5')
  expect(ending(at(-20))).toBe('abcdez end 5')
})

test('a page that follows repeats no launch that has moved meanwhile', () => {
  expect(shown(appendRows(rowsOf('abc', '1', 6), rowsOf('cde', '2', 7)))).toBe('abcde 2 7')
})

test('a list that is fetched again keeps what was loaded beyond', () => {
  expect(shown(refreshRows(rowsOf('abcdef', '6', 9), rowsOf('xab', '3', 10)))).toBe('xabcdef 6 10')
  expect(shown(refreshRows(rowsOf('abcdef', '6', 9), rowsOf('eab', '3', 9)))).toBe('eabcdf 6 9')
  expect(shown(refreshRows(rowsOf('abc', '3', 9), rowsOf('xya', '3', 11)))).toBe('xyabc 3 11')
  // The rows in between are unknown.
  expect(shown(refreshRows(rowsOf('abc', '3', 9), rowsOf('xyz', '3', 12)))).toBe('xyz 3 12')
  // It has all rows, so rows that are not in it are gone.
  expect(shown(refreshRows(rowsOf('abcdef', '6', 9), rowsOf('ab')))).toBe('ab end 2')
  expect(shown(refreshRows(undefined, rowsOf('ab', '2', 9)))).toBe('ab 2 9')
})

test('a hidden launch is no longer counted', () => {
  expect(shown(removeRow(rowsOf('abc', 'more', 9), 'b'))).toBe('ac more 8')
  expect(shown(removeRow(rowsOf('abc', 'more', 9), 'z'))).toBe('abc more 9')
})

test('in the usual order, a launch that opens rises to the live ones, and one that closes sinks', () => {
  const before = {
    ...rowsOf('ab'),
    launches: [
      active('a'),
      active('b'),
      launchOf('c', { startTime: at(10) }),
      launchOf('d', { endTime: at(-10) }),
      launchOf('e', { graduatedAt: at(-20) }),
    ],
  }
  const sorted = (data: LaunchData) => put(before, data, { sort: 'status' }).split(' ')[0]
  expect(sorted(launchOf('c', { startTime: at(-1), lastActivityAt: at(0) }))).toBe('cabde')
  expect(sorted(launchOf('a', { endTime: at(-1), lastActivityAt: at(0) }))).toBe('bcade')
  expect(sorted(launchOf('d', { endTime: at(-10), graduatedAt: at(0), lastActivityAt: at(0) }))).toBe('abcde')
})

test('figures of rows that stay are kept', () => {
  const figuresOf = (names: string, raised: string) =>
    Object.fromEntries([...names].map(name => [name, { raised }])) as unknown as LaunchRows['figures']
  const rows = { ...rowsOf('abcd'), figures: figuresOf('abcd', 'old') }
  const fresh = { ...rowsOf('ab', 'more'), figures: figuresOf('ab', 'new') }
  const names = (each: LaunchRows) =>
    Object.entries(each.figures).map(([name, figures]) => `${name} ${Object.values(figures)}`)
  const refreshed = refreshRows(rows, fresh) as LaunchRows
  expect(names(refreshed)).toEqual(['a new', 'b new', 'c old', 'd old'])
  expect(names(appendRows(fresh, { ...rowsOf('e'), figures: figuresOf('e', 'new') }))).toHaveLength(3)
})

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
      launches: names.map(
        genesisAddress =>
          ({ launch: { genesisAddress }, baseToken: { image: '', description: '' } }) as LaunchData,
      ),
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
