import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ResponseStream } from '../endpoint/endpoint.ts'
import { insertLaunches } from '../store/launches.ts'
import { NUMBER_EVENTS } from '../testing/event-client.ts'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import type { PageReader } from './catch-up.ts'
import { createEventFeed } from './event-feed.ts'
import { type LoggedEvent, toLogged } from './event-log.ts'
import { createEventStreams } from './event-streams.ts'

const FILTER = { networks: ['chain-mainnet' as const] }

function fakeTimers() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** A stand-in for a connection whose client reads only when told to. A real connection would buffer megabytes first. */
function createConnection() {
  const written: string[] = []
  let pendingBytes = 0
  let onDrain = () => {}
  let onEnd = () => {}
  const connection = {
    written,
    isEnded: false,
    read(bytes = pendingBytes) {
      pendingBytes -= bytes
      if (pendingBytes === 0) onDrain()
    },
    stream: {
      pendingBytes: () => pendingBytes,
      write(bytes) {
        if (connection.isEnded) return true
        written.push(bytes.toString())
        pendingBytes += bytes.length
        return pendingBytes < 16_384
      },
      onDrain(callback) {
        onDrain = callback
      },
      onEnd(callback) {
        onEnd = callback
      },
      end() {
        connection.isEnded = true
        onEnd()
      },
    } satisfies ResponseStream,
  }
  return connection
}

const eventOf = (id: number) =>
  toLogged({
    id,
    network: 'chain-mainnet',
    type: 'launch.moved',
    address: addressOf('launch'),
    at: new Date(0),
    data: null,
  })

const idsOf = ({ written }: { written: string[] }) =>
  [...written.join('').matchAll(/^id: (\d+)\nevent/gm)].map(([, id]) => Number(id))

function createStreams({
  keptAfter = () => 0,
  readPage = async () => [] as LoggedEvent[],
  totalMax = 10,
}: {
  keptAfter?: () => number
  readPage?: PageReader
  totalMax?: number
} = {}) {
  const all: LoggedEvent[] = []
  const cut: string[] = []
  const counts: number[] = []
  const streams = createEventStreams({
    log: {
      newestId: () => all.at(-1)?.id ?? 0,
      keptAfter,
      after: (id, count) => all.filter(event => event.id > id).slice(0, count),
    },
    readPage,
    observer: {
      onCount: count => counts.push(count),
      onSent() {},
      onRefused() {},
      onCut: reason => cut.push(reason),
      onFault(error) {
        throw error
      },
    },
    totalMax,
  })
  onTestFinished(streams.close)
  const open = (afterId = 0) => {
    const connection = createConnection()
    streams.reserve('client')(connection.stream, { filter: FILTER, afterId, isReset: false })
    return connection
  }
  const publish = async (count: number) => {
    const events = Array.from({ length: count }, (_, at) => eventOf(all.length + at + 1))
    all.push(...events)
    await streams.publish(events)
  }
  /** Everything after this event is lost. */
  const restore = (id: number) => void all.splice(id)
  return { streams, open, publish, restore, cut, counts }
}

test('a live stream that is more than 64 KiB behind is cut off, and others are not', async () => {
  const { open, publish, cut, counts } = createStreams()
  const [slow, quick] = [open(), open()]
  await sleep(0)
  for (let round = 0; round < 6; round += 1) {
    await publish(100)
    quick.read()
  }
  expect(cut).toEqual(['slow'])
  expect([slow.isEnded, quick.isEnded]).toEqual([true, false])
  expect(counts.at(-1)).toBe(1)
  expect(slow.written.join('').length).toBeLessThan(96 * 1_024)
  expect(quick.written.join('').match(/^id: \d+\nevent/gm)).toHaveLength(600)
})

test('a client that has stopped reading is cut off, and one that reads a little is not', async () => {
  fakeTimers()
  const { open, cut } = createStreams()
  const [stuck, slow] = [open(), open()]
  for (let seconds = 0; seconds < 60 && !stuck.isEnded; seconds += 1) {
    slow.read(1)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(stuck.isEnded).toBe(true)
  expect(cut).toEqual(['stalled'])
  expect(slow.isEnded).toBe(false)
})

test('a stream that catches up waits for its client, and buffers little in the meantime', async () => {
  const { open, publish } = createStreams()
  await publish(2_000)
  const connection = open()
  let largest = 0
  for (let turn = 0; turn < 100; turn += 1) {
    await sleep(0)
    largest = Math.max(largest, connection.stream.pendingBytes())
    connection.read()
  }
  await publish(1)
  expect(idsOf(connection)).toEqual(Array.from({ length: 2_001 }, (_, at) => at + 1))
  expect(largest).toBeLessThan(64 * 1_024)
})

test('a stream that has read more from the store than the log has gets only the rest of a batch', async () => {
  const { open, publish } = createStreams()
  const connection = open(3)
  await sleep(0)
  await publish(5)
  await publish(2)
  expect(idsOf(connection)).toEqual([4, 5, 6, 7])
})

test('a comment with the last id comes at every interval, even if no event matches', async () => {
  fakeTimers()
  const { open } = createStreams()
  const connection = open(7)
  for (let seconds = 0; seconds < 46; seconds += 1) {
    connection.read()
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(connection.written.filter(text => text === ':\nid: 7\n\n')).toHaveLength(3)
})

test('a stream ends if events that it has not read yet were deleted, and sends nothing after the gap', async () => {
  const pages: (LoggedEvent[] | undefined)[] = [[eventOf(6), eventOf(7)], undefined]
  const asked: number[] = []
  const { open } = createStreams({
    keptAfter: () => 100,
    async readPage(afterId) {
      asked.push(afterId)
      return pages.shift()
    },
  })
  const connection = open(5)
  await sleep(0)
  expect(asked).toEqual([5, 7])
  expect(idsOf(connection)).toEqual([6, 7])
  expect(connection.isEnded).toBe(true)
})

test('after a restore, live streams are reset and follow the restored events, and others have to resume', async () => {
  let mayRead = () => {}
  const { open, publish, restore, streams } = createStreams({
    keptAfter: () => 2,
    readPage: () => new Promise(resolve => (mayRead = () => resolve([eventOf(2)]))),
  })
  await publish(5)
  const [live, behind] = [open(5), open(1)]
  await sleep(0)
  restore(3)
  streams.reset()
  expect(live.written.at(-1)).toMatch(/^retry: \d+\nid: 3\nevent: reset\ndata: \{\}\n\n$/)
  expect([live.isEnded, behind.isEnded]).toEqual([false, true])
  await publish(1)
  mayRead()
  await sleep(0)
  expect(idsOf(live)).toEqual([3, 4])
  expect(idsOf(behind)).toEqual([])
})

test('a page of events is not sent if the events before it have been deleted', async () => {
  const { database, connection } = await createTestDatabase()
  await insertLaunches(
    database,
    ['one', 'two', 'three'].map(name => launchRows(name)),
  )
  await runSql(connection, NUMBER_EVENTS)
  const feed = createEventFeed({
    database,
    describe: async () => [],
    streamsMax: 10,
    logCountMax: 1,
    beforePublish: async () => {},
    observer: { onCount() {}, onSent() {}, onRefused() {}, onCut() {}, onFault() {} },
  })
  onTestFinished(feed.close)
  await feed.caughtUp()
  const start = await feed.findStart('1')
  expect(start).toEqual({ afterId: 1, isReset: false })
  await runSql(connection, 'DELETE FROM events WHERE id <= 3')
  const client = createConnection()
  feed.reserve('client')(client.stream, { filter: FILTER, ...start })
  await expect.poll(() => client.isEnded).toBe(true)
  expect(idsOf(client)).toEqual([])
})

test('500 clients of one /48 take a share of the streams, which is enough for them while nobody else is there', () => {
  const openedOf = (totalMax: number) => {
    const { streams } = createStreams({ totalMax })
    const reserve = (client: string) => {
      try {
        return streams.reserve(client)
      } catch {
        return undefined
      }
    }
    const clients = Array.from({ length: 500 }, (_, at) => `2001:db8:1:${at.toString(16)}::/64`)
    const opened = clients.filter(reserve).length
    expect([reserve('2001:db8:2:0::/64'), reserve('192.0.2.7')]).not.toContain(undefined)
    return opened
  }
  expect([openedOf(10_000), openedOf(300), openedOf(3)]).toEqual([320, 100, 1])
})
