import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { LAUNCH_STATUSES, type LaunchData } from '@slipway/schema/launch'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Representation } from '../endpoint/representation.ts'
import type { LaunchRecord } from '../store/launches.ts'
import { addressOf, launchRecord } from '../testing/launch-rows.ts'
import { createEntry } from './listing/entry.ts'
import { createPress } from './listing/press.ts'
import { createNetworkListings } from './network-listings.ts'

const LAUNCH_PAGE = 'https://slipway.example/launches/{genesisAddress}'

function createListings(clock: () => number) {
  return createNetworkListings({ launchPage: LAUNCH_PAGE, press: createPress(), clock })
}

/** Says so many times that nothing else is to be done. */
function quietFor(times: number): () => boolean {
  let left = times
  return () => {
    left -= 1
    return left >= 0
  }
}

/** What the contract says, without any cleverness. */
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

/** Names of launches, every other one of which opens a segment, so that few launches make many segments. */
const NAMES = [true, false].flatMap(opens => {
  const found: string[] = []
  for (let at = 0; found.length < 20; at += 1) {
    if (createEntry(launchRecord(`${at}`), LAUNCH_PAGE, 0).opensSegment === opens) found.push(`${at}`)
  }
  return found
})

// Few launches and instants, so that ties, repeats and simultaneous starts are common.
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
  test('any sequence of changes and clock steps yields what a naive filter, sort and serialise yields', async () => {
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
            await listings.update(found.map(listings.entryOf), gone)
          } else {
            // Between updates the clock alone may move, but never past what was looked ahead to.
            while (listings.wakeAtMs <= nowMs) await listings.update([], [])
          }
          for (const filter of FILTERS) {
            const { identity, gzip } = listings.listingFinder({
              status: filter.status,
              spotlight: filter.spotlight,
            })()
            const expected = naiveListing(records.values(), nowMs, filter)
            expect(textOf(identity)).toBe(expected)
            expect(gunzipSync(Buffer.concat(gzip?.parts ?? [])).toString()).toBe(expected)
          }
        }
        // A node that starts now cuts its segments alike, and so names the same bytes alike.
        const fresh = createListings(() => nowMs)
        await fresh.update([...records.values()].map(fresh.entryOf), [])
        for (const filter of FILTERS)
          expect(listings.listingFinder(filter)().identity.etag).toBe(
            fresh.listingFinder(filter)().identity.etag,
          )
      }),
      { numRuns: 150 },
    )
  })

  test('the same launches give the same bytes and ETags, in whatever order they arrived', async () => {
    const records = Array.from({ length: 1_500 }, (_, at) =>
      launchRecord(`order ${at}`, { lastActivityAt: new Date(1_700_000_000_000 + (at % 97) * 1_000) }),
    )
    const atOnce = createListings(Date.now)
    await atOnce.update(records.map(atOnce.entryOf), [])
    const piecemeal = createListings(Date.now)
    for (let at = 0; at < records.length; at += 50) {
      const batch = records.toReversed().slice(at, at + 50)
      // Some take a detour through another place in the order.
      const detour = batch.filter((_, index) => index % 3 === 0)
      await piecemeal.update(
        detour.map(record => piecemeal.entryOf({ ...record, lastActivityAt: new Date(1_700_000_050_000) })),
        [],
      )
      await piecemeal.update(batch.map(piecemeal.entryOf), [])
    }
    for (const filter of FILTERS) {
      const [a, b] = [atOnce.listingFinder(filter)(), piecemeal.listingFinder(filter)()]
      expect(b.identity.etag).toBe(a.identity.etag)
      expect(Buffer.concat(b.gzip?.parts ?? [])).toEqual(Buffer.concat(a.gzip?.parts ?? []))
    }
  })

  test('a change replaces only the listings and the sheets that it must', async () => {
    // Enough for the listing to lie on several sheets, which can be told apart.
    const records = Array.from({ length: 20_000 }, (_, at) =>
      launchRecord(`keep ${at}`, { lastActivityAt: new Date(1_700_000_000_000 + at) }),
    )
    const listings = createListings(Date.now)
    await listings.update(records.map(listings.entryOf), [])
    const before = listings.listingFinder({ status: undefined, spotlight: undefined })().identity.parts
    const untouched = listings.listingFinder({ status: 'upcoming', spotlight: undefined })()
    const inSpotlight = listings.listingFinder({ status: undefined, spotlight: true })()
    const moved = { ...(records[10_000] as LaunchRecord), lastActivityAt: new Date() }
    await listings.update([listings.entryOf(moved)], [])
    const { identity, gzip } = listings.listingFinder({ status: undefined, spotlight: undefined })()
    const after = identity.parts
    expect(before.length).toBeGreaterThan(6)
    const memory = new Set(before.map(({ buffer }) => buffer))
    const fresh = after.filter(({ buffer }) => !memory.has(buffer))
    expect(fresh.length).toBeLessThanOrEqual(4)
    expect(fresh.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(identity.length / 20)
    expect(after.filter(part => before.includes(part)).length).toBeGreaterThanOrEqual(before.length - 4)
    expect(gunzipSync(Buffer.concat(gzip?.parts ?? [])).equals(Buffer.concat(after))).toBe(true)
    expect(JSON.parse(Buffer.concat(after).toString()).data).toHaveLength(20_000)
    expect(listings.listingFinder({ status: 'upcoming', spotlight: undefined })()).toBe(untouched)
    expect(listings.listingFinder({ status: undefined, spotlight: true })()).toBe(inSpotlight)
  })

  test('changes all over a listing leave it in few pieces, which say what one printed anew says', async () => {
    const records = Array.from({ length: 12_000 }, (_, at) =>
      launchRecord(`spread ${at}`, { lastActivityAt: new Date(1_700_000_000_000 + at) }),
    )
    const listings = createListings(Date.now)
    await listings.update(records.map(listings.entryOf), [])
    const all = { status: undefined, spotlight: undefined }
    for (let round = 0; round < 10; round += 1) {
      const changed = Array.from({ length: 20 }, (_, at) => (round * 20 + at) * 59)
      for (const at of changed)
        records[at] = { ...(records[at] as LaunchRecord), heroUrl: `heroes/${round}.webp` }
      await listings.update(
        changed.map(at => listings.entryOf(records[at] as LaunchRecord)),
        [],
      )
    }
    const { identity, gzip } = listings.listingFinder(all)()
    const anew = createListings(Date.now)
    await anew.update(records.map(anew.entryOf), [])
    const expected = anew.listingFinder(all)()
    expect(identity.etag).toBe(expected.identity.etag)
    expect(Buffer.concat(identity.parts).equals(Buffer.concat(expected.identity.parts))).toBe(true)
    expect(Buffer.concat(gzip?.parts ?? []).equals(Buffer.concat(expected.gzip?.parts ?? []))).toBe(true)
    const memory = new Set(identity.parts.map(({ buffer }) => buffer))
    // Some hundred and fifty segments were replaced; most have since been laid together with what is around them.
    expect(memory.size).toBeLessThan(110)
  })

  test('once things are quiet a large listing lies in one piece, and its next change is as small as ever', async () => {
    const records = Array.from({ length: 20_000 }, (_, at) =>
      launchRecord(`bind ${at}`, { lastActivityAt: new Date(1_700_000_000_000 + at) }),
    )
    const listings = createListings(Date.now)
    await listings.update(records.map(listings.entryOf), [])
    const all = listings.listingFinder({ status: undefined, spotlight: undefined })
    const before = all()
    expect(before.identity.parts.length).toBeGreaterThan(8)

    await listings.polish(quietFor(4))
    // Something else was to be done: the half of a copy is of no use.
    expect(all()).toBe(before)

    const text = textOf(before.identity)
    await listings.polish(quietFor(40))
    const bound = all()
    expect(bound.identity.parts.length).toBeLessThanOrEqual(3)
    expect(bound.gzip?.parts.length).toBeLessThanOrEqual(3)
    expect(bound.identity.etag).toBe(before.identity.etag)
    expect(bound.gzip?.etag).toBe(before.gzip?.etag)
    expect(textOf(bound.identity) === text).toBe(true)
    expect(Buffer.concat(bound.gzip?.parts ?? []).equals(Buffer.concat(before.gzip?.parts ?? []))).toBe(true)

    const moved = { ...(records[10_000] as LaunchRecord), lastActivityAt: new Date() }
    await listings.update([listings.entryOf(moved)], [])
    const after = all().identity
    const memory = new Set(bound.identity.parts.map(({ buffer }) => buffer))
    const fresh = after.parts.filter(({ buffer }) => !memory.has(buffer))
    expect(fresh.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(after.length / 20)
    records[10_000] = moved
    expect(textOf(after) === naiveListing(records, Date.now(), {})).toBe(true)

    // Readers that are slow hold what they were sent: it is not copied for them again and again.
    const spread = Array.from({ length: 10 }, (_, at) => ({
      ...(records[at * 1_900] as LaunchRecord),
      heroUrl: 'heroes/other.webp',
    }))
    await listings.update(spread.map(listings.entryOf), [])
    const { length } = all().identity.parts
    expect(length).toBeGreaterThan(8)
    await listings.polish(quietFor(40))
    expect(all().identity.parts).toHaveLength(length)
  })

  test('a status turns at the very instant of the start, without anybody touching the listings', async () => {
    let nowMs = 1_000_000
    const listings = createListings(() => nowMs)
    const record = launchRecord('start', { startsAt: new Date(1_001_000) })
    await listings.update([listings.entryOf(record)], [])
    const statusNow = () => listings.launch(record.genesisAddress)?.status
    const isListed = (status: 'upcoming' | 'live') =>
      textOf(listings.listingFinder({ status, spotlight: undefined })().identity) !== '{"data":[]}'

    nowMs = 1_000_999
    expect([statusNow(), isListed('upcoming'), isListed('live')]).toEqual(['upcoming', true, false])
    nowMs = 1_001_000
    expect([statusNow(), isListed('upcoming'), isListed('live')]).toEqual(['live', false, true])
  })

  test('a status turns at its instant even while a long update is being printed', async () => {
    let nowMs = 1_000_000
    let release = () => {}
    const press = createPress()
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let isSlow = false
    const slowPress = {
      ...press,
      async print(catalogue: Parameters<typeof press.print>[0]) {
        if (isSlow) {
          isSlow = false
          await held
        }
        await press.print(catalogue)
      },
    }
    const listings = createNetworkListings({ launchPage: LAUNCH_PAGE, press: slowPress, clock: () => nowMs })
    const starting = launchRecord('starting', { startsAt: new Date(1_005_000) })
    await listings.update([listings.entryOf(starting)], [])
    const isLive = () =>
      textOf(listings.listingFinder({ status: 'live', spotlight: undefined })().identity) !== '{"data":[]}'

    isSlow = true
    const update = listings.update(
      [listings.entryOf(launchRecord('other', { startsAt: new Date(2_000_000) }))],
      [],
    )
    nowMs = 1_003_500
    await sleep(700)
    nowMs = 1_004_999
    expect(isLive()).toBe(false)
    nowMs = 1_005_000
    expect(isLive()).toBe(true)
    release()
    await update
    expect(isLive()).toBe(true)
    expect(textOf(listings.listingFinder({ status: 'upcoming', spotlight: undefined })().identity)).toContain(
      'other',
    )
  })

  test('brotli holds the same bytes once things are quiet', async () => {
    const listings = createListings(Date.now)
    await listings.update([listings.entryOf(launchRecord('quiet'))], [])
    await listings.polish(() => true)
    const { identity, br } = listings.listingFinder({ status: undefined, spotlight: undefined })()
    expect(brotliDecompressSync(Buffer.concat(br?.parts ?? [])).toString()).toBe(textOf(identity))
    expect(br?.etag).not.toBe(identity.etag)
  })
})
