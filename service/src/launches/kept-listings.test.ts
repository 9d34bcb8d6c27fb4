import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { insertLaunches } from '../store/launches.ts'
import { type LaunchRecord, readLaunches, readLaunchVersions } from '../store/read-launches.ts'
import { addressOf, launchRecord, launchRows, MINUTE_MS } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { createKeptListings } from './kept-listings.ts'
import { createLaunchSnapshots } from './launch-snapshots.ts'
import { openListingsFile } from './listing/listings-file.ts'
import { createNetworkListings, type NetworkListings } from './listing/network-listings.ts'

const LAUNCH_PAGE = 'https://slipway.example/launches/{genesisAddress}'
const NETWORK = 'chain-mainnet'

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function keepIn(folder: string, { mayWrite = true, launchesMin = 1 } = {}) {
  const seen = { saved: [] as number[], failed: [] as unknown[], unreadable: [] as unknown[] }
  const kept = createKeptListings({
    file: openListingsFile({ folder, launchPage: LAUNCH_PAGE }),
    mayWrite,
    launchesMin,
    observer: {
      onSaved: launches => void seen.saved.push(launches),
      onSaveFailed: error => void seen.failed.push(error),
      onUnreadable: error => void seen.unreadable.push(error),
    },
  })
  onTestFinished(() => kept.close())
  return { kept, seen }
}

const FILTERS = ([undefined, 'upcoming', 'live', 'graduated'] as const).flatMap(status =>
  [undefined, true, false].map(spotlight => ({ status, spotlight })),
)

/** The bytes and ETags of every listing. */
async function describe(listings: Pick<NetworkListings, 'prepare'>) {
  const all = []
  for (const filter of FILTERS) {
    const { identity, gzip } = await listings.prepare(filter)
    for (const form of [identity, gzip])
      all.push([form?.etag, Buffer.concat(form?.parts ?? []).toString('base64')])
  }
  return all
}

/** Starts nodes on one database and, if they have one, one folder. */
async function createNodes() {
  const { connection, database } = await createTestDatabase()
  async function start(folder?: string) {
    const { kept, seen } = folder === undefined ? {} : keepIn(folder)
    const read: Address[] = []
    const snapshots = createLaunchSnapshots({
      source: {
        readVersions: () => readLaunchVersions(database),
        read(network, addresses) {
          read.push(...addresses)
          return readLaunches(database, network, addresses)
        },
      },
      kept,
      launchPage: LAUNCH_PAGE,
      observer: {
        onUpdated: () => {},
        onFailed: error => void seen?.failed.push(error),
        onCompressionFailed: () => {},
      },
    })
    onTestFinished(() => snapshots.close())
    snapshots.everythingChanged()
    await snapshots.caughtUp()
    return { snapshots, read, seen }
  }
  return { connection, database, start }
}

test('a restart shows what the database has, in the same bytes, and reads only what has changed', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const folder = await createFolder()
  const { connection, database, start } = await createNodes()
  const names = ['changed', 'removed', 'hidden', 'renamed', 'moved']
  const startsAt = new Date(Date.now() + MINUTE_MS)
  await insertLaunches(database, [
    ...Array.from({ length: 800 }, (_, at) => launchRows(`launch ${at}`, { spotlight: at % 9 === 0 })),
    ...names.map(name => launchRows(name)),
    launchRows('starts', { startsAt }),
    launchRows('starts later', { startsAt: new Date(startsAt.getTime() + MINUTE_MS) }),
    launchRows('elsewhere', { network: 'chain-devnet' }),
  ])
  const first = await start(folder)
  await expect.poll(() => first.seen?.saved, { timeout: 30_000 }).toEqual([808])
  await first.snapshots.close()

  const again = await start(folder)
  expect(again.read).toEqual([])
  expect(await describe(again.snapshots.of(NETWORK))).toEqual(await describe(first.snapshots.of(NETWORK)))
  await again.snapshots.close()

  const where = (name: string) => `WHERE genesis_address = '${addressOf(`launch ${name}`)}'`
  await runSql(
    connection,
    `UPDATE launches SET website = 'https://new.example' ${where('changed')};
     DELETE FROM launches ${where('removed')};
     UPDATE launches SET hidden = true ${where('hidden')};
     UPDATE tokens SET name = 'other' WHERE mint = '${addressOf('mint renamed')}';
     UPDATE launches SET last_activity_at = now() ${where('moved')};`,
  )
  await insertLaunches(database, [launchRows('added')])
  vi.setSystemTime(startsAt)
  const restarted = await start(folder)
  const expected = ['changed', 'renamed', 'moved', 'added', 'starts'].map(name => addressOf(`launch ${name}`))
  expect(restarted.read.sort()).toEqual(expected.sort())
  const without = await start()
  for (const network of [NETWORK, 'chain-devnet'] as const)
    expect(await describe(restarted.snapshots.of(network))).toEqual(
      await describe(without.snapshots.of(network)),
    )
  const statusOf = (name: string) =>
    restarted.snapshots.of(NETWORK).launch(addressOf(`launch ${name}`))?.status
  expect(['starts', 'starts later', 'removed', 'hidden'].map(statusOf)).toEqual([
    'live',
    'upcoming',
    undefined,
    undefined,
  ])
  expect(
    [first, again, restarted].flatMap(({ seen }) => [...(seen?.failed ?? []), ...(seen?.unreadable ?? [])]),
  ).toEqual([])
})

test('the listings are kept at once if someone waits for them', async () => {
  const { database, start } = await createNodes()
  await insertLaunches(database, [launchRows('one')])
  const { snapshots, seen } = await start(await createFolder())
  // No pause ends, so nothing waits until the listings are idle.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await snapshots.keep()
  expect(seen?.saved).toEqual([1])
})

test('a clock that was turned back makes launches upcoming again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const folder = await createFolder()
  const { database, start } = await createNodes()
  await insertLaunches(database, [launchRows('started', { startsAt: new Date(Date.now() - 1_000) })])
  const first = await start(folder)
  await expect.poll(() => first.seen?.saved, { timeout: 30_000 }).toEqual([1])
  vi.setSystemTime(Date.now() - MINUTE_MS)
  const again = await start(folder)
  expect(again.snapshots.of(NETWORK).launch(addressOf('launch started'))?.status).toBe('upcoming')
})

test('whatever changes between two starts, the listings are those of a start without the file', async () => {
  const folder = await createFolder()
  const change = fc.record({
    kind: fc.constantFrom('change', 'remove', 'add', 'rewrite'),
    at: fc.nat({ max: 199 }),
    activityMs: fc.nat({ max: 1_000 }),
    spotlight: fc.boolean(),
  })
  const nowMs = Date.now()
  const base = Array.from({ length: 200 }, (_, at) => launchRecord(`any ${at}`, { version: at }))
  const open = () => createNetworkListings({ launchPage: LAUNCH_PAGE, clock: () => nowMs })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 30 }), async changes => {
      const records = new Map<string, LaunchRecord>(base.map(record => [record.genesisAddress, record]))
      const before = open()
      await before.update(base.map(before.toListed), [])
      await keepIn(folder).kept.saveIfDue(() =>
        before.segments().map(segment => ({ network: NETWORK, segment })),
      )
      for (const [index, { kind, at, activityMs, spotlight }] of changes.entries()) {
        const version = 1_000 + index
        const record = base[at] as LaunchRecord
        const changed = { ...record, version, spotlight, lastActivityAt: new Date(nowMs - activityMs) }
        if (kind === 'remove') records.delete(record.genesisAddress)
        else if (kind === 'change') records.set(record.genesisAddress, changed)
        else if (kind === 'rewrite') records.set(record.genesisAddress, { ...record, version })
        else
          records.set(
            `${index}`,
            launchRecord(`added ${index}`, { version, lastActivityAt: changed.lastActivityAt }),
          )
      }
      const outdated = new Map(
        [...records.values()].map(({ genesisAddress, version }) => [genesisAddress, version] as const),
      )
      const { kept, seen } = keepIn(folder, { mayWrite: false })
      const taken = (await kept.take(new Map([[NETWORK, outdated]]), nowMs)).get(NETWORK)
      const after = open()
      const read = [...records.values()].filter(({ genesisAddress }) => outdated.has(genesisAddress))
      await after.update([...(taken?.launches ?? []), ...read.map(after.toListed)], [], taken?.segments)
      const without = open()
      await without.update([...records.values()].map(without.toListed), [])
      expect(await describe(after)).toEqual(await describe(without))
      expect(seen.unreadable).toEqual([])
      expect(read.length).toBeLessThanOrEqual(changes.length)
    }),
    { numRuns: 25 },
  )
})

test('the file is written only by the one that may, only if there are enough launches, and its segments are used as they are', async () => {
  const folder = await createFolder()
  const listings = createNetworkListings({ launchPage: LAUNCH_PAGE, clock: Date.now })
  await listings.update(
    ['one', 'two'].map(name => listings.toListed(launchRecord(name))),
    [],
  )
  const list = () => listings.segments().map(segment => ({ network: NETWORK, segment }) as const)
  for (const options of [{ mayWrite: false }, { launchesMin: 3 }]) {
    await keepIn(folder, options).kept.saveIfDue(list)
    expect(await readdir(folder)).toEqual([])
  }
  const { kept, seen } = keepIn(folder)
  await kept.saveIfDue(list)
  await kept.saveIfDue(list)
  expect([await readdir(folder), seen.saved]).toEqual([['listings.cache'], [2]])
  const versions = new Map(['one', 'two'].map(name => [addressOf(`launch ${name}`), 0]))
  const taken = (await kept.take(new Map([[NETWORK, versions]]), Date.now())).get(NETWORK)
  const next = createNetworkListings({ launchPage: LAUNCH_PAGE, clock: Date.now })
  await next.update(taken?.launches ?? [], [], taken?.segments)
  expect(next.segments()[0]?.encoded).toBe(taken?.segments[0]?.encoded)
  expect(taken?.segments[0]?.encoded).toBeDefined()
})

test('a folder that cannot be written to is reported once, and is not tried again', async () => {
  const folder = join(await createFolder(), 'file')
  await writeFile(folder, '')
  const listings = createNetworkListings({ launchPage: LAUNCH_PAGE, clock: Date.now })
  await listings.update([listings.toListed(launchRecord('one'))], [])
  const { kept, seen } = keepIn(folder)
  for (let attempt = 0; attempt < 3; attempt += 1)
    await kept.saveIfDue(() => listings.segments().map(segment => ({ network: NETWORK, segment })))
  expect((await kept.take(new Map(), 0)).size).toBe(0)
  expect([seen.failed.length, seen.saved, seen.unreadable]).toEqual([1, [], []])
})

test('a damaged file is reported, and everything is read from the database', async () => {
  const folder = await createFolder()
  await writeFile(join(folder, 'listings.cache'), 'damaged')
  const { database, start } = await createNodes()
  await insertLaunches(database, [launchRows('one')])
  const { snapshots, read, seen } = await start(folder)
  expect(read).toEqual([addressOf('launch one')])
  expect(snapshots.of(NETWORK).size).toBe(1)
  expect(seen?.unreadable).toHaveLength(1)
})
