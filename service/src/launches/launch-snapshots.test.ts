import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, crc32 } from 'node:zlib'
import type { LaunchData } from '@slipway/schema/launch'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { LaunchRecord } from '../store/read-launches.ts'
import { launchRecord } from '../testing/launch-rows.ts'
import { createLaunchSnapshots } from './launch-snapshots.ts'

/** As the store has it: a version for each content. */
const withVersion = (record: LaunchRecord): LaunchRecord => ({
  ...record,
  version: crc32(JSON.stringify({ ...record, version: 0 })),
})

/** A store in memory that can be slow and fail. */
function createStore() {
  const records = new Map<string, LaunchRecord>()
  const state = {
    failures: 0,
    delayMs: 0,
    reads: 0,
    /** How many launches the last read returned. */
    found: 0,
    failed: [] as unknown[],
  }
  async function answer<T>(value: () => T): Promise<T> {
    state.reads += 1
    // The answer is the state at the time of the call.
    const found = value()
    if (state.delayMs > 0) await sleep(state.delayMs)
    if (state.failures > 0) {
      state.failures -= 1
      throw new Error('the store is down')
    }
    return found
  }
  const snapshots = createLaunchSnapshots({
    source: {
      async *readVersions() {
        yield await answer(() => [...records.values()].map(withVersion))
      },
      read(_network, addresses) {
        const wanted = new Set(addresses)
        return answer(() => {
          const found = [...records.values()].filter(({ genesisAddress }) => wanted.has(genesisAddress))
          state.found = found.length
          return found.map(withVersion)
        })
      },
    },
    launchPage: 'https://slipway.example/launches/{genesisAddress}',
    observer: {
      onUpdated: () => {},
      onFailed: error => void state.failed.push(error),
      onCompressionFailed: error => void state.failed.push(error),
    },
  })
  onTestFinished(() => snapshots.close())
  const names = () => {
    const all = snapshots.of('chain-mainnet').listing({ status: undefined, spotlight: undefined })
    const { data } = JSON.parse(Buffer.concat(all?.identity.parts ?? []).toString()) as { data: LaunchData[] }
    return data.map(({ baseToken }) => baseToken.name).sort()
  }
  const put = (record: LaunchRecord) => {
    records.set(record.genesisAddress, record)
    snapshots.changed('chain-mainnet', [record.genesisAddress])
  }
  const remove = (record: LaunchRecord) => {
    records.delete(record.genesisAddress)
    snapshots.changed('chain-mainnet', [record.genesisAddress])
  }
  return { records, snapshots, state, names, put, remove }
}

test('while the store fails, the listing stays as it is, and no announced change is lost', async () => {
  const { snapshots, state, names, put } = createStore()
  put(launchRecord('kept'))
  await snapshots.caughtUp()
  state.failures = 2
  put(launchRecord('announced'))
  await expect(snapshots.caughtUp()).rejects.toThrow('the store is down')
  expect(names()).toEqual(['kept'])
  await expect.poll(names, { timeout: 15_000 }).toEqual(['announced', 'kept'])
  expect(state.failed).toHaveLength(2)
})

test('a failed full reload is retried until it succeeds', async () => {
  const { records, snapshots, state, names } = createStore()
  await snapshots.caughtUp()
  const missed = launchRecord('missed')
  records.set(missed.genesisAddress, missed)
  state.failures = 2
  snapshots.everythingChanged()
  await expect.poll(names, { timeout: 15_000 }).toEqual(['missed'])
  expect(state.failed).toHaveLength(2)
})

test('a launch that changes during its read is read again', async () => {
  const { snapshots, state, names, put } = createStore()
  state.delayMs = 50
  const record = launchRecord('first')
  put(record)
  const caughtUp = snapshots.caughtUp()
  await expect.poll(() => state.reads, { interval: 1 }).toBe(1)
  put({ ...record, token: { ...record.token, name: 'second' } })
  await caughtUp
  await snapshots.caughtUp()
  expect(names()).toEqual(['second'])
})

test('a full reload finds what was added, changed and removed without an announcement, and reads nothing else', async () => {
  const { records, snapshots, state, names, put } = createStore()
  const [stays, goes, changes] = [launchRecord('stays'), launchRecord('goes'), launchRecord('changes')]
  for (const record of [stays, goes, changes]) put(record)
  await snapshots.caughtUp()
  records.delete(goes.genesisAddress)
  records.set(changes.genesisAddress, { ...changes, token: { ...changes.token, name: 'changed' } })
  const added = launchRecord('added')
  records.set(added.genesisAddress, added)
  snapshots.everythingChanged()
  await snapshots.caughtUp()
  expect(names()).toEqual(['added', 'changed', 'stays'])
  expect(state.found).toBe(2)
  expect(snapshots.of('chain-mainnet').launch(goes.genesisAddress)).toBeUndefined()
})

test('the listings follow the start of a launch without an announcement', async () => {
  const { snapshots, state, put } = createStore()
  const startsMs = Date.now() + 500
  put(launchRecord('soon', { startsAt: new Date(startsMs) }))
  await snapshots.caughtUp()
  const { reads } = state
  const live = async () => (await snapshots.of('chain-mainnet').prepare(LIVE)).identity.length
  const before = await live()
  if (Date.now() < startsMs) expect(before).toBe('{"data":[]}'.length)
  await expect.poll(live, { interval: 5, timeout: 15_000 }).toBeGreaterThan('{"data":[]}'.length)
  expect(Date.now()).toBeGreaterThanOrEqual(startsMs)
  expect(state.reads).toBe(reads)
})

const LIVE = { status: 'live', spotlight: undefined } as const

test('rapid changes are shown together', async () => {
  const { snapshots, state, names, put } = createStore()
  for (let at = 0; at < 500; at += 1) {
    put(launchRecord(`burst ${at}`))
    if (at % 50 === 0) await sleep(1)
  }
  await snapshots.caughtUp()
  expect(names()).toHaveLength(500)
  expect(state.reads).toBeLessThan(20)
})

test('a change interrupts compression and is shown at once; the new listing is compressed afterwards', async () => {
  const { records, snapshots, put } = createStore()
  for (let at = 0; at < 15_000; at += 1) {
    const record = launchRecord(`many ${at}`)
    records.set(record.genesisAddress, record)
  }
  snapshots.everythingChanged()
  await snapshots.caughtUp()
  const find = () => snapshots.of('chain-mainnet').listing({ status: undefined, spotlight: undefined })
  const inSpotlight = () => snapshots.of('chain-mainnet').listing({ status: undefined, spotlight: true })
  // The smallest listing is compressed first: the large ones follow now.
  await expect.poll(() => inSpotlight()?.br, { interval: 1, timeout: 30_000 }).toBeDefined()
  const before = find()
  expect(before?.br).toBeUndefined()
  put(launchRecord('one more'))
  await expect.poll(() => find() !== before, { interval: 5, timeout: 30_000 }).toBe(true)
  expect(before?.br).toBeUndefined()
  await expect.poll(() => find()?.br, { timeout: 45_000 }).toBeDefined()
  expect(brotliDecompressSync(find()?.br?.parts[0] as Buffer).includes('one more')).toBe(true)
})

test('close waits only for the update that is running, and rejects every waiting call', async () => {
  const { snapshots, state, put } = createStore()
  await snapshots.caughtUp()
  state.delayMs = 100
  state.failures = 1
  put(launchRecord('lost'))
  await expect.poll(() => state.reads, { interval: 5 }).toBe(1)
  const pending = snapshots.caughtUp()
  pending.catch(() => {})
  // From now on, no pause ends, so `close` can't be waiting for one.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await snapshots.close()
  expect([state.reads, state.failed.length]).toEqual([1, 1])
  await expect(pending).rejects.toThrow('no longer')
  await expect(snapshots.caughtUp()).rejects.toThrow('no longer')
})

test('after any sequence of changes and failures, the listing equals the store', async () => {
  const launches = Array.from({ length: 6 }, (_, at) => launchRecord(`any ${at}`))
  const action = fc.record({
    kind: fc.constantFrom('put', 'remove', 'fail', 'everything', 'wait'),
    at: fc.nat({ max: 5 }),
    spotlight: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 20 }), async actions => {
      const { records, snapshots, state, names, put, remove } = createStore()
      for (const { kind, at, spotlight } of actions) {
        const record = launches[at] as LaunchRecord
        if (kind === 'put') put({ ...record, spotlight })
        else if (kind === 'remove') remove(record)
        else if (kind === 'fail') state.failures = 1
        else if (kind === 'everything') snapshots.everythingChanged()
        else await sleep(3)
      }
      state.failures = 0
      await snapshots.caughtUp().catch(() => snapshots.caughtUp())
      expect(names()).toEqual([...records.values()].map(({ token }) => token.name).sort())
      await snapshots.close()
    }),
    { numRuns: 25 },
  )
})
