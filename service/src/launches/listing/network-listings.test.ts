import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { LAUNCH_STATUSES, type LaunchData } from '@slipway/schema/launch'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Representation, Snapshot } from '../../endpoint/endpoint.ts'
import type { LaunchRecord } from '../../store/read-launches.ts'
import { addressOf, launchRecord } from '../../testing/launch-rows.ts'
import { createListedLaunch, readLaunchData } from './listed-launch.ts'
import { finishSnapshot } from './listing.ts'
import { createNetworkListings } from './network-listings.ts'

const LAUNCH_PAGE = 'https://slipway.example/launches/{genesisAddress}'

const createListings = (clock: () => number) => createNetworkListings({ launchPage: LAUNCH_PAGE, clock })

/** The listing as the contract defines it: filter, sort, serialise. */
function naiveListing(
  records: Iterable<LaunchRecord>,
  nowMs: number,
  filter: { status?: string | undefined; spotlight?: boolean | undefined },
) {
  const data = [...records]
    .map((record): LaunchData => {
      const status = record.graduatedAt
        ? 'graduated'
        : nowMs < record.startsAt.getTime()
          ? 'upcoming'
          : 'live'
      return {
        launch: {
          launchPage: `https://slipway.example/launches/${record.genesisAddress}`,
          mechanic: record.mechanic,
          genesisAddress: record.genesisAddress,
          spotlight: record.spotlight,
          startTime: record.startsAt.toISOString(),
          endTime: record.endsAt.toISOString(),
          status,
          heroUrl: record.heroUrl,
          graduatedAt: record.graduatedAt ? record.graduatedAt.toISOString() : null,
          lastActivityAt: record.lastActivityAt.toISOString(),
          type: record.mechanic === 'presaleV2' ? 'presale' : 'launchpool',
        },
        baseToken: record.token,
        website: record.website,
        socials: record.socials,
      }
    })
    .filter(({ launch }) => filter.status === undefined || launch.status === filter.status)
    .filter(({ launch }) => filter.spotlight === undefined || launch.spotlight === filter.spotlight)
  data.sort((a, b) => {
    if (a.launch.lastActivityAt !== b.launch.lastActivityAt)
      return a.launch.lastActivityAt < b.launch.lastActivityAt ? 1 : -1
    return a.launch.genesisAddress < b.launch.genesisAddress ? -1 : 1
  })
  return JSON.stringify({ data })
}

const textOf = ({ parts }: Representation) => Buffer.concat(parts).toString()
const FILTERS = [undefined, ...LAUNCH_STATUSES].flatMap(status =>
  [undefined, true, false].map(spotlight => ({ status, spotlight })),
)

type Step =
  | { kind: 'insert'; id: number; startsInMs: number; activeAtMs: number; spotlight: boolean }
  | { kind: 'activity'; id: number; activeAtMs: number }
  | { kind: 'graduate'; id: number }
  | { kind: 'spotlight'; id: number; on: boolean }
  | { kind: 'remove'; id: number }
  | { kind: 'clock'; ms: number }

/** Launch names of which half open a segment, so that few launches make many segments. */
const NAMES = [true, false].flatMap(opens => {
  const found: string[] = []
  for (let at = 0; found.length < 20; at += 1) {
    if (createListedLaunch(launchRecord(`${at}`), LAUNCH_PAGE, 0).opensSegment === opens) found.push(`${at}`)
  }
  return found
})

// Few launches and times, so that ties, repeats and simultaneous starts are common.
const id = fc.constantFrom(...NAMES.map(Number))
const activeAtMs = fc.nat({ max: 6 }).map(second => second * 1_000)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      id,
      startsInMs: fc.integer({ min: -5, max: 20 }).map(seconds => seconds * 500),
      activeAtMs,
      spotlight: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('activity' as const), id, activeAtMs }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('graduate' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('spotlight' as const), id, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('clock' as const), ms: fc.nat({ max: 4_000 }) }) },
)

describe('listings of a network', () => {
  test('after any sequence of changes and clock steps, listings equal a naive filter, sort and serialise', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 25 }), async batches => {
        let nowMs = 1_000_000_000_000
        const records = new Map<string, LaunchRecord>()
        const listings = createListings(() => nowMs)
        await listings.update([], [])

        for (const batch of batches) {
          const touched = new Set<number>()
          let isChanged = false
          for (const action of batch) {
            if (action.kind === 'clock') {
              nowMs += action.ms
              continue
            }
            isChanged = true
            touched.add(action.id)
            const name = `${action.id}`
            const known = records.get(name)
            if (action.kind === 'insert')
              records.set(
                name,
                launchRecord(name, {
                  startsAt: new Date(nowMs + action.startsInMs),
                  endsAt: new Date(nowMs + 60_000),
                  lastActivityAt: new Date(action.activeAtMs),
                  spotlight: action.spotlight,
                }),
              )
            else if (action.kind === 'remove') records.delete(name)
            else if (known) {
              const change =
                action.kind === 'activity'
                  ? { lastActivityAt: new Date(action.activeAtMs) }
                  : action.kind === 'graduate'
                    ? { graduatedAt: new Date(nowMs) }
                    : { spotlight: action.on }
              records.set(name, { ...known, ...change })
            }
          }
          if (isChanged) {
            const found = [...touched].flatMap(touchedId => records.get(`${touchedId}`) ?? [])
            const gone = [...touched]
              .filter(touchedId => !records.has(`${touchedId}`))
              .map(touchedId => addressOf(`launch ${touchedId}`))
            await listings.update(found.map(listings.toListed), gone)
          }
          // `update` is called at every start.
          if (listings.nextStartMs <= nowMs) await listings.update([], [])
          for (const filter of FILTERS) {
            const { identity, gzip } = await listings.prepare({
              status: filter.status,
              spotlight: filter.spotlight,
            })
            const expected = naiveListing(records.values(), nowMs, filter)
            expect(textOf(identity)).toBe(expected)
            expect(identity.length).toBe(expected.length)
            expect(gunzipSync(Buffer.concat(gzip?.parts ?? [])).toString()).toBe(expected)
          }
        }
        // A node that starts now gives the same bytes the same ETag.
        const fresh = createListings(() => nowMs)
        await fresh.update([...records.values()].map(fresh.toListed), [])
        for (const filter of FILTERS)
          expect((await listings.prepare(filter)).identity.etag).toBe(
            (await fresh.prepare(filter)).identity.etag,
          )
      }),
      { numRuns: 20 },
    )
  })

  test('the same launches give the same bytes and ETags, whatever order they arrived in', async () => {
    const records = Array.from({ length: 600 }, (_, at) =>
      launchRecord(`order ${at}`, { lastActivityAt: new Date(1_700_000_000_000 + (at % 97) * 1_000) }),
    )
    const atOnce = createListings(Date.now)
    await atOnce.update(records.map(atOnce.toListed), [])
    const inBatches = createListings(Date.now)
    for (let at = 0; at < records.length; at += 50) {
      const batch = records.toReversed().slice(at, at + 50)
      // Some are listed at another place first.
      const moved = batch.filter((_, index) => index % 3 === 0)
      await inBatches.update(
        moved.map(record => inBatches.toListed({ ...record, lastActivityAt: new Date(1_700_000_050_000) })),
        [],
      )
      await inBatches.update(batch.map(inBatches.toListed), [])
    }
    for (const filter of FILTERS) {
      const [a, b] = [await atOnce.prepare(filter), await inBatches.prepare(filter)]
      expect(b.identity.etag).toBe(a.identity.etag)
      expect(Buffer.concat(b.gzip?.parts ?? [])).toEqual(Buffer.concat(a.gzip?.parts ?? []))
    }
  })

  test('a change replaces only the listings and segments that it touches', async () => {
    const records = Array.from({ length: 20_000 }, (_, at) =>
      launchRecord(`keep ${at}`, { lastActivityAt: new Date(1_700_000_000_000 + at) }),
    )
    const listings = createListings(Date.now)
    await listings.update(records.map(listings.toListed), [])
    const all = () => listings.prepare({ status: undefined, spotlight: undefined })
    const before = await all()
    const upcoming = () => listings.prepare({ status: 'upcoming', spotlight: undefined })
    const inSpotlight = () => listings.prepare({ status: undefined, spotlight: true })
    const untouched = [await upcoming(), await inSpotlight()]

    const moved = { ...(records[10_000] as LaunchRecord), lastActivityAt: new Date() }
    records[10_000] = moved
    await listings.update([listings.toListed(moved)], [])
    const { identity, gzip } = await all()
    // A slow reader of the old listing holds little memory that the new one does not use as well.
    const held = new Set(before.identity.parts.map(({ buffer }) => buffer))
    const fresh = identity.parts.filter(({ buffer }) => !held.has(buffer))
    expect(fresh.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(identity.length / 20)
    const expected = naiveListing(records, Date.now(), {})
    expect(textOf(identity) === expected).toBe(true)
    expect(gunzipSync(Buffer.concat(gzip?.parts ?? [])).toString() === expected).toBe(true)
    expect(await upcoming()).toBe(untouched[0])
    expect(await inSpotlight()).toBe(untouched[1])
  })

  test('the JSON of every launch is in memory once, within the listing of all launches', async () => {
    let nowMs = 1_000_000
    const listings = createListings(() => nowMs)
    const records = Array.from({ length: 300 }, (_, at) =>
      launchRecord(`held ${at}`, { startsAt: new Date(at === 7 ? 1_001_000 : 0) }),
    )
    const expectHeldOnce = async () => {
      const launches = records.map(({ genesisAddress }) => listings.launch(genesisAddress))
      const held = new Set(launches.map(launch => launch?.source))
      const { identity } = await listings.prepare({ status: undefined, spotlight: undefined })
      // Each segment begins with a comma, which the first is sent without.
      const expected = identity.length - '{"data":['.length - ']}'.length + 1
      expect([...held].reduce((sum, source) => sum + (source?.length ?? 0), 0)).toBe(expected)
      expect(launches.map(launch => launch && readLaunchData(launch).launch.status)).toEqual(
        records.map(({ startsAt }) => (startsAt.getTime() > nowMs ? 'upcoming' : 'live')),
      )
    }
    await listings.update(records.map(listings.toListed), [])
    await expectHeldOnce()
    await listings.prepare({ status: 'live', spotlight: undefined })
    records[9] = { ...(records[9] as LaunchRecord), website: 'https://changed.example' }
    await listings.update([listings.toListed(records[9])], [])
    await expectHeldOnce()
    nowMs = 1_001_000
    await listings.update([], [])
    await expectHeldOnce()
  })

  test('a status changes at the start: of a launch at once, and in the listings with the update that is due then', async () => {
    let nowMs = 1_000_000
    const listings = createListings(() => nowMs)
    const records = [1_000_500, 1_001_000, 1_001_000, 1_010_000].map((startsMs, at) =>
      launchRecord(`start ${at}`, { startsAt: new Date(startsMs) }),
    )
    await listings.update(records.map(listings.toListed), [])
    const statuses = () => records.map(({ genesisAddress }) => listings.launch(genesisAddress)?.status)
    const starts: number[] = []
    for (;;) {
      starts.push(listings.nextStartMs)
      if (starts.length > 3) break
      nowMs = listings.nextStartMs
      const live = records.filter(({ startsAt }) => startsAt.getTime() <= nowMs).length
      expect(statuses()).toEqual(records.map((_, at) => (at < live ? 'live' : 'upcoming')))
      // A change that arrives together with the start must not undo it.
      records[0] = { ...(records[0] as LaunchRecord), spotlight: starts.length === 2 }
      await listings.update([listings.toListed(records[0])], [])
      for (const filter of FILTERS)
        expect(textOf((await listings.prepare(filter)).identity)).toBe(naiveListing(records, nowMs, filter))
    }
    expect(starts).toEqual([1_000_500, 1_001_000, 1_010_000, Number.POSITIVE_INFINITY])
  })

  test('of a filtered listing, what has changed is encoded when it is requested, once for all that wait', async () => {
    const listings = createListings(() => 1_000_000)
    const graduated = { status: 'graduated', spotlight: undefined } as const
    const put = (name: string) =>
      listings.update([listings.toListed(launchRecord(name, { graduatedAt: new Date(0) }))], [])
    await put('first')
    expect(listings.listing(graduated)).toBeUndefined()
    const asked = await Promise.all([listings.prepare(graduated), listings.prepare(graduated)])
    expect(asked[1]).toBe(asked[0])
    expect(listings.listing(graduated)).toBe(asked[0])
    await listings.update([listings.toListed(launchRecord('live'))], [])
    expect(listings.listing(graduated)).toBe(asked[0])
    await put('second')
    expect(textOf((await listings.prepare(graduated)).identity)).toContain('second')
  })

  test('once idle, brotli holds the same bytes', async () => {
    const listings = createListings(Date.now)
    const records = Array.from({ length: 300 }, (_, at) => launchRecord(`idle ${at}`))
    await listings.update(records.map(listings.toListed), [])
    await listings.compress(() => true)
    const { identity, br } = await listings.prepare({ status: undefined, spotlight: undefined })
    expect(brotliDecompressSync(Buffer.concat(br?.parts ?? [])).toString()).toBe(textOf(identity))
    expect(br?.etag).not.toBe(identity.etag)
  })
})

const PARTS = [1, 700_000, 300_000].map((length, at) => Buffer.alloc(length, `part ${at}`))

const snapshotOf = (parts: Buffer[]): Snapshot => ({
  identity: { encoding: 'identity', etag: '"tag"', parts, length: Buffer.concat(parts).length },
})

test('a finished listing is one buffer, and has a Brotli form of all parts in order', async () => {
  const snapshot = snapshotOf(PARTS)
  await finishSnapshot(snapshot, () => true)
  expect(snapshot.br).toMatchObject({ encoding: 'br', etag: '"tag-br"' })
  expect(brotliDecompressSync(snapshot.br?.parts[0] as Buffer).equals(Buffer.concat(PARTS))).toBe(true)
  const { etag, parts } = snapshot.identity
  // Comparing them with `toEqual` takes a minute.
  expect([etag, parts.length, parts[0]?.equals(Buffer.concat(PARTS))]).toEqual(['"tag"', 1, true])
})

test('an interrupted Brotli stream is discarded', async () => {
  for (const idleChecks of [0, 1, 3]) {
    let left = idleChecks
    const snapshot = snapshotOf(PARTS)
    const before = snapshot.identity.parts
    await finishSnapshot(snapshot, () => {
      left -= 1
      return left >= 0
    })
    expect(snapshot.br).toBeUndefined()
    expect(snapshot.identity.parts).toBe(before)
  }
})
