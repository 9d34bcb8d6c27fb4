import { type FeedEvent, type LaunchData, SlipwayError } from '@slipway/client'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LaunchRows } from './launch-rows.ts'
import type { LaunchFilter } from './launches.ts'
import { createLiveLaunches } from './live.ts'
import { queryKeys } from './query-keys.ts'

const NETWORK = 'chain-mainnet'
const FILTER: LaunchFilter = {
  network: NETWORK,
  status: undefined,
  mechanic: undefined,
  sort: 'activity',
  text: '',
  cursor: undefined,
}
const at = (second: number) => new Date(second * 1_000).toISOString()

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const launchOf = (name: string, second: number) =>
  ({
    launch: { genesisAddress: name, lastActivityAt: at(second) },
    baseToken: { image: '', description: '' },
  }) as LaunchData
const eventOf = (name: string, second: number, type: FeedEvent['type'] = 'launch.moved') =>
  ({ type, network: NETWORK, address: name, at: at(second), id: `${second}` }) as FeedEvent

/** A page that shows a list. `served` is what the service answers with, in order; the last answer stays. */
function startPage(
  served: Record<string, (number | Error)[]>,
  { listed = ['a', 'b', 'c'], sort = 'activity' }: { listed?: string[]; sort?: LaunchFilter['sort'] } = {},
) {
  const queryClient = new QueryClient()
  const key = queryKeys.launchList({ ...FILTER, sort })
  const rows: LaunchRows = {
    launches: listed.map((name, index) => launchOf(name, 10 - index)),
    next: 'more',
    total: 900,
    figures: {},
  }
  queryClient.setQueryData(key, rows)
  let fetchedCount = 0
  // As a page that shows the list.
  new QueryObserver(queryClient, {
    queryKey: key,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => {
      fetchedCount += 1
      return rows
    },
  }).subscribe(() => {})
  const asked: string[] = []
  const { note, close } = createLiveLaunches({
    queryClient,
    slipway: {
      launches: {
        async get(address: string) {
          asked.push(address)
          const answers = served[address] ?? []
          const answer = answers.length > 1 ? answers.shift() : answers[0]
          if (answer instanceof Error) throw answer
          return { ...launchOf(address, answer ?? 0), verifiedSocials: [] }
        },
      } as never,
    },
  })
  const shown = () =>
    queryClient
      .getQueryData<LaunchRows>(key)
      ?.launches.map(({ launch }) => launch.genesisAddress)
      .join(' ')
  const fetched = () => fetchedCount
  return {
    queryClient,
    note,
    close,
    asked,
    shown,
    fetched,
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

test('a launch that moves is fetched once for all its events, and rises', async () => {
  const { note, pass, shown, asked } = startPage({ c: [20] })
  note(eventOf('c', 19))
  note(eventOf('c', 20))
  await pass(399)
  expect(asked).toEqual([])
  await pass(1)
  expect([shown(), asked]).toEqual(['c a b', ['c']])
})

test('a launch that is hidden and then moves stays hidden', async () => {
  const { queryClient, note, pass, shown, asked } = startPage({ a: [20] })
  queryClient.setQueryData(['launch', NETWORK, 'a'], launchOf('a', 10))
  note(eventOf('a', 19, 'launch.hidden'))
  note(eventOf('a', 20))
  await pass(5_000)
  expect([shown(), asked]).toEqual(['b c', []])
  // Its page says that it is gone.
  expect(queryClient.getQueryData(['launch', NETWORK, 'a'])).toBeNull()
})

test('a launch that is older than its event is fetched once more, and no more than that', async () => {
  const { note, pass, shown, asked } = startPage({ c: [8, 20] })
  note(eventOf('c', 20))
  await pass(400)
  expect(shown()).toBe('a b c')
  await pass(1_400)
  expect([shown(), asked.length]).toEqual(['c a b', 2])

  const behind = startPage({ c: [8] })
  behind.note(eventOf('c', 20))
  await pass(10_000)
  expect(behind.asked).toHaveLength(2)
})

test('a launch that the service no longer has disappears, and one that can’t be read stays', async () => {
  const gone = new SlipwayError('Not found', { code: 'NOT_FOUND', status: 404 })
  const { note, pass, shown } = startPage({ a: [gone], b: [new Error('the connection was lost')] })
  note(eventOf('a', 20))
  note(eventOf('b', 20))
  await pass(400)
  expect(shown()).toBe('b c')
})

test('a launch that is not among the rows arrives above them', async () => {
  const { note, pass, shown } = startPage({ z: [20], y: [1] })
  note(eventOf('z', 20))
  note(eventOf('y', 1))
  await pass(400)
  expect(shown()).toBe('z a b c')
})

test('up to eight launches are fetched one by one, and for more the list is fetched again, a little later', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `launch ${index}`)
  const { note, pass, asked, fetched } = startPage({}, { listed: names })
  for (const name of names.slice(0, 8)) note(eventOf(name, 0))
  await pass(400)
  expect(asked).toHaveLength(8)
  for (let times = 0; times < 3; times += 1) {
    for (const name of names) note(eventOf(name, 0))
    await pass(400)
  }
  expect([asked.length, fetched()]).toEqual([8, 0])
  await pass(15_000)
  expect([asked.length, fetched()]).toEqual([8, 1])
})

test('a list by what launches have raised is fetched again after a change of any launch', async () => {
  const { note, pass, asked, fetched } = startPage({}, { sort: 'raised' })
  note(eventOf('z', 20))
  note(eventOf('y', 20))
  await pass(16_000)
  expect([asked, fetched()]).toEqual([[], 1])
})

test('the counts are fetched again after a launch has changed its status, by each page at a time of its own', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { queryClient, note, pass } = startPage({ a: [20] })
  const isOld = () => queryClient.getQueryState(queryKeys.launchCountsOf(NETWORK, undefined))?.isInvalidated
  queryClient.setQueryData(queryKeys.launchCountsOf(NETWORK, undefined), {})
  note(eventOf('a', 20, 'launch.moved'))
  await pass(400)
  expect(isOld()).toBe(false)
  note(eventOf('a', 20, 'launch.graduated'))
  await pass(2_399)
  expect(isOld()).toBe(false)
  await pass(1)
  expect(isOld()).toBe(true)
  expect(random).toHaveBeenCalledTimes(1)
})

test('a launch that is no longer in the spotlight leaves it', async () => {
  const { note, pass, queryClient } = startPage({ a: [20], b: [20] })
  const key = queryKeys.spotlight(NETWORK)
  const spotlit = ['a', 'b'].map(name => ({ launch: { ...launchOf(name, 1).launch, spotlight: true } }))
  queryClient.setQueryData(key, spotlit)
  note(eventOf('a', 20))
  await pass(400)
  expect(queryClient.getQueryData(key)).toEqual(spotlit.slice(1))
})

test('a page that shows neither the launch nor the list asks for nothing, and neither does one that was left', async () => {
  const { queryClient, note, close, pass, asked } = startPage({ c: [8] })
  note(eventOf('c', 20))
  await pass(400)
  close()
  await pass(10_000)
  expect(asked).toHaveLength(1)
  queryClient.clear()
  const other = startPage({}, { listed: [], sort: 'raised' })
  other.queryClient.clear()
  other.note(eventOf('a', 20))
  await pass(400)
  expect(other.asked).toEqual([])
})
