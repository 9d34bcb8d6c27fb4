import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { type Database, withinTransaction } from './database.ts'
import { readLaunchDetails } from './event-details.ts'
import { insertLaunches, setHidden } from './launches.ts'
import { findLaunch, type LaunchVersion, readLaunches, readLaunchVersions } from './read-launches.ts'

async function readVersions(database: Database): Promise<LaunchVersion[]> {
  const versions: LaunchVersion[] = []
  for await (const batch of readLaunchVersions(database)) versions.push(...batch)
  return versions
}

const addressesOfAll = async (database: Database) =>
  (await readVersions(database)).map(({ genesisAddress }) => genesisAddress).sort()

test('a hidden launch is left out of every listing query and stays registered', async () => {
  const { database } = await createTestDatabase()
  await insertLaunches(database, [launchRows('shown'), launchRows('hidden')])
  const address = addressOf('launch hidden')
  const readOne = async () => (await readLaunches(database, 'chain-mainnet', [address])).length
  expect(await setHidden(database, 'chain-mainnet', address, true)).toBe('changed')
  expect(await setHidden(database, 'chain-mainnet', address, true)).toBe('unchanged')
  const shown = addressOf('launch shown')
  expect([await addressesOfAll(database), await readOne()]).toEqual([[shown], 0])
  expect(await findLaunch(database, 'chain-mainnet', address)).toMatchObject({ hidden: true })
  expect(await setHidden(database, 'chain-devnet', address, false)).toBe('missing')
  expect(await setHidden(database, 'chain-mainnet', address, false)).toBe('changed')
  expect([await addressesOfAll(database), await readOne()]).toEqual([[address, shown].sort(), 1])
})

test('a launch is read with every field that is stored', async () => {
  const { database } = await createTestDatabase()
  const whole = {
    graduatedAt: new Date('2026-03-01T00:00:00.001Z'),
    heroUrl: 'https://images.example/hero.png',
    website: 'https://example.com',
    socials: { x: 'handle' },
    agent: addressOf('agent'),
    verifiedSocials: ['x' as const],
    slot: 2 ** 40,
  }
  const rows = [launchRows('plain'), launchRows('whole', whole)]
  await insertLaunches(database, rows)
  const addresses = rows.map(({ launch }) => launch.genesisAddress)
  const records = await readLaunches(database, 'chain-mainnet', addresses)
  const stored = rows.map(({ launch, token: { network: _, mint: address, ...about } }) => ({
    ...launch,
    token: { address, ...about },
    version: expect.any(Number),
  }))
  expect(records).toHaveLength(2)
  expect(records).toEqual(expect.arrayContaining(stored))
  expect(await findLaunch(database, 'chain-mainnet', addressOf('launch whole'))).toEqual(stored[1])
})

test('every version is read exactly once, however many there are', async () => {
  const { database } = await createTestDatabase()
  expect(await readVersions(database)).toEqual([])
  const rows = Array.from({ length: 2_100 }, (_, at) => launchRows(`launch ${at}`))
  await insertLaunches(database, rows)
  expect(await addressesOfAll(database)).toEqual(rows.map(({ launch }) => launch.genesisAddress).sort())
})

/** What a launch shows, and another value for each column. */
const SHOWN = {
  launches: {
    mint: `'${addressOf('mint other')}'`,
    mechanic: `'presaleV2'`,
    starts_at: `'2026-01-01'`,
    ends_at: `'2026-01-01'`,
    graduated_at: `'2026-01-01'`,
    last_activity_at: `'2026-01-01'`,
    registered_at: `'2026-01-01'`,
    spotlight: 'true',
    hero_url: `'hero'`,
    website: `'website'`,
    socials: `'{"x": "x"}'`,
    agent: `'agent'`,
    verified_socials: `'{x}'`,
  },
  tokens: { name: `'name'`, symbol: `'symbol'`, image: `'image'`, description: `'description'` },
}

test('a launch gets another version whenever something that it shows changes', async () => {
  const { database } = await createTestDatabase()
  await insertLaunches(database, [launchRows('changed'), launchRows('other')])
  const address = addressOf('launch changed')
  // In one transaction, so that only the content differs.
  await database.transact('test', async db => {
    const inside = withinTransaction(db)
    const versionOf = async (launch: string) =>
      (await readVersions(inside)).find(row => row.genesisAddress === launch)?.version
    for (const table of Object.keys(SHOWN)) await db.execute(`UPDATE ${table} SET mint = mint`)
    const other = await versionOf(addressOf('launch other'))
    const seen = new Set([await versionOf(address)])
    for (const [table, columns] of Object.entries(SHOWN).reverse())
      for (const [column, value] of Object.entries(columns).reverse()) {
        const row =
          table === 'tokens' ? `mint = '${addressOf('mint changed')}'` : `genesis_address = '${address}'`
        await db.execute(`UPDATE ${table} SET ${column} = ${value} WHERE ${row}`)
        const version = await versionOf(address)
        expect(seen.has(version), column).toBe(false)
        seen.add(version)
      }
    expect([...seen].every(Number.isSafeInteger)).toBe(true)
    expect(await versionOf(addressOf('launch other'))).toBe(other)
    const [record] = await readLaunches(inside, 'chain-mainnet', [address])
    expect(record?.version).toBe([...seen].at(-1))
  })
})

test.for(Object.keys(SHOWN))('a write to %s that changes nothing gives another version too', async table => {
  const { connection, database } = await createTestDatabase()
  await insertLaunches(database, [launchRows('same')])
  const before = await readVersions(database)
  expect(await readVersions(database)).toEqual(before)
  await runSql(connection, `UPDATE ${table} SET mint = mint`)
  expect((await readVersions(database))[0]?.version).not.toBe(before[0]?.version)
})

test('reading a launch reads one token, even before the database has counted its rows', async () => {
  const { connection, database } = await createTestDatabase()
  for (const table of ['launches', 'tokens'])
    await runSql(connection, `ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
  await insertLaunches(
    database,
    Array.from({ length: 600 }, (_, at) => launchRows(`fresh ${at}`)),
  )
  const network = 'chain-mainnet'
  const addresses = Array.from({ length: 100 }, (_, at) => addressOf(`launch fresh ${at}`))
  const wanted = addresses.map(address => ({ network, address }) as const)
  const reads = [
    async (db: Database) => (await readLaunches(db, network, addresses)).length,
    async (db: Database) => (await readLaunchDetails(db, wanted)).size,
  ]
  for (const read of reads)
    await database.transact('test', async db => {
      const countReads = async () => {
        const { rows } = await db.execute(sql`
          SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_xact_user_tables WHERE relname = 'tokens'`)
        return Number(rows[0]?.count)
      }
      const before = await countReads()
      expect(await read(withinTransaction(db))).toBe(100)
      expect((await countReads()) - before).toBe(100)
    })
})
