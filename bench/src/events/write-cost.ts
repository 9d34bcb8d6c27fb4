import { saveBuckets } from '@slipway/service/store/buckets'
import type { Database } from '@slipway/service/store/database'
import { sql } from 'drizzle-orm'
import { printTable } from '../lib/report.ts'
import { sampleLaunch } from '../lib/sample-launches.ts'

/** The launches that must be stored. Each has one bucket. */
export const LAUNCHES = 400
const SECONDS = 4
const ROUNDS = 3
const BATCHES = [1, 40]
const WRITERS = [1, 4]
const MODES = ['DISABLE', 'ENABLE'] as const

/** Compares bucket changes per second with and without the trigger that writes events. */
export async function measureWriteCost(database: Database): Promise<void> {
  await changeBuckets(database, { first: 0, count: LAUNCHES })
  const rows: string[][] = []
  for (const batch of BATCHES) {
    for (const writers of WRITERS) {
      const rates = { ENABLE: 0, DISABLE: 0 }
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const mode of round % 2 === 0 ? MODES : MODES.toReversed()) {
          await database.run('bench.triggers', db =>
            db.execute(sql.raw(`ALTER TABLE buckets ${mode} TRIGGER draft_events`)),
          )
          rates[mode] += (await measureRate(database, batch, writers)) / ROUNDS
        }
      }
      const { DISABLE: without, ENABLE: withEvents } = rates
      const figures = [without.toFixed(0), withEvents.toFixed(0), (withEvents / without).toFixed(2)]
      rows.push([`${batch}`, `${writers}`, ...figures])
    }
  }
  printTable(
    'Changes of buckets per second',
    ['changes per transaction', 'writers', 'without events', 'with events', 'ratio'],
    rows,
  )
}

async function measureRate(database: Database, batch: number, writers: number): Promise<number> {
  const endMs = performance.now() + SECONDS * 1_000
  let changes = 0
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      // Writers don't wait for each other's rows.
      const [start, size] = [writer * (LAUNCHES / writers), LAUNCHES / writers]
      for (let at = 0; performance.now() < endMs; at = (at + batch) % (size - batch + 1)) {
        await changeBuckets(database, { first: start + at, count: batch })
        changes += batch
      }
    }),
  )
  return changes / SECONDS
}

let writes = 0

/** Writes a change of these buckets. The first write of a bucket is not a change. */
export async function changeBuckets(database: Database, { first, count }: { first: number; count: number }) {
  writes += 1
  const rows = buckets.slice(first, first + count).map(bucket => ({
    ...bucket,
    slot: writes,
    digest: `${writes}`,
    changedAt: new Date(),
  }))
  await database.run('bench.buckets', db => saveBuckets(db, rows))
}

const buckets = Array.from({ length: LAUNCHES }, (_, at) => ({
  network: 'chain-mainnet' as const,
  address: sampleLaunch(at).mint,
  genesisAddress: sampleLaunch(at).genesisAddress,
  kind: 'bondingCurveV2' as const,
}))
