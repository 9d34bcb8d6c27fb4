import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { dumpTables, loadTables } from '../../store/dump-tables.ts'
import { insertLaunches } from '../../store/launches.ts'
import { saveTrades } from '../../store/trades.ts'
import { launchRows } from '../../testing/launch-rows.ts'
import { runCommand } from '../../testing/run-command.ts'
import { canMountDisk, mountSmallDisk } from '../../testing/small-disk.ts'
import { createTestConnection, createTestDatabase, runSql } from '../../testing/test-database.ts'
import { insertTradedLaunch, tradeOf } from '../../testing/trades.ts'
import { type BackupEntry, readBackupFile, writeBackupFile } from './backup.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // PostgreSQL may run as another user.
  execFileSync('chmod', ['711', folder])
  return folder
}

async function* list<T>(...values: T[]): AsyncGenerator<T> {
  yield* values
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const value of values) found.push(value)
  return found
}

test('every table and sequence is the same after a restore, and a dump sees one moment', async () => {
  const { connection, database } = await createTestDatabase()
  await insertLaunches(database, [launchRows('first'), launchRows('second')])
  const launch = await insertTradedLaunch(database, 'traded')
  await saveTrades(database, 'chain-mainnet', launch, [
    tradeOf('old', { time: 1_700_000_000 }),
    tradeOf('new', { time: 1_750_000_000 }),
  ])
  // The order of keys, a separator of lines, and a character that jsonb refuses.
  const documents = '{"z": 1, "a": "\u2028\\u0000"}'
  await runSql(
    connection,
    `INSERT INTO agents (network, address, owner, name, uri, identity_version, slot, documents)
     VALUES ('chain-mainnet', 'address', 'owner', 'Name', 'https://x.example', 2, 9007199254740993, '${documents}')`,
  )
  const entries = dumpTables(connection)
  const start = await entries.next()
  await insertLaunches(database, [launchRows('later')])
  const dumped = [start.value as BackupEntry, ...(await collect(entries))]
  expect(JSON.stringify(dumped)).not.toContain('later')
  const file = join(makeFolder(), 'backup')
  await writeBackupFile(file, list(...dumped))
  expect(await collect(readBackupFile(file))).toEqual(dumped)

  const target = await createTestConnection()
  const { rows } = await loadTables(target, list(...(dumped as never[])))
  expect(rows).toBeGreaterThan(2)
  expect(await collect(dumpTables(target))).toEqual(dumped)
  const { rows: found } = await runSql(target, 'SELECT documents::text, slot FROM agents')
  expect(found).toEqual([{ documents, slot: '9007199254740993' }])
  const { rows: counted } = await runSql(target, "SELECT reltuples FROM pg_class WHERE relname = 'launches'")
  expect(counted).toEqual([{ reltuples: 3 }])
})

test('a file that is damaged, cut, foreign or newer is refused, and nothing is left behind', async () => {
  const folder = makeFolder()
  const file = join(folder, 'backup')
  const { connection } = await createTestDatabase()
  await writeBackupFile(file, dumpTables(connection))
  const good = gunzipSync(readFileSync(file))
  const restore = async (bytes: Buffer) => {
    writeFileSync(file, bytes)
    const { code, stdout, stderr } = await runCommand(['restore', file], { DATA_DIR: join(folder, 'data') })
    expect([code, stdout, readdirSync(folder)]).toEqual([1, '', ['backup']])
    return stderr
  }
  const damaged = `slipway: ${file} is damaged or incomplete: its checksum is wrong. Use another backup.\n`
  const text = good.toString()
  const packed = gzipSync(good)
  expect(await restore(packed.subarray(0, -1))).toBe(damaged)
  expect(await restore(packed.subarray(0, packed.length / 2))).toBe(damaged)
  expect(await restore(packed.with(-8, (packed.at(-8) as number) ^ 1) as Buffer)).toBe(damaged)
  expect(await restore(Buffer.from('something else'))).toBe(damaged)
  expect(await restore(gzipSync('{"hello":1}\n'))).toBe(`slipway: ${file} is not a backup of Slipway.\n`)
  expect(await restore(gzipSync(text.replace('"format":1', '"format":2')))).toMatch(/made by a newer Slipway/)
  const newer = text.replace(/"lastMigration":\d+/, '"lastMigration":99999999999999')
  expect(await restore(gzipSync(newer))).toBe(
    'slipway: The backup was made by a newer Slipway. Upgrade this one to the version that made the backup, or newer.\n',
  )
  const older = text.replace(/"lastMigration":\d+/, '"lastMigration":1794714444648')
  expect(await restore(gzipSync(older))).toMatch(
    /made by a Slipway from before 0\.1\.0 and cannot be restored/,
  )
  await expect(writeBackupFile(file, list())).rejects.toThrow('exists already')
})

test.skipIf(!canMountDisk)(
  'a mounted disk can be restored to, and its earlier content is kept',
  async () => {
    const file = join(makeFolder(), 'backup')
    const { connection } = await createTestDatabase()
    await writeBackupFile(file, dumpTables(connection))
    const { folder } = mountSmallDisk('200m')
    // As on every new ext4.
    mkdirSync(join(folder, 'lost+found'))
    const restore = (...flags: string[]) =>
      runCommand(['restore', file, '--json', ...flags], { DATA_DIR: folder })
    expect(await restore()).toMatchObject({ code: 0, stderr: '' })
    writeFileSync(join(folder, 'social-token-secret'), 'earlier')
    const { code, stdout } = await restore('--replace')
    const { replaced } = JSON.parse(stdout)
    expect([code, readdirSync(replaced).toSorted()]).toEqual([
      0,
      ['db', 'postgres.log', 'social-token-secret'],
    ])
    expect(readdirSync(folder).toSorted()).toEqual(['db', 'lost+found', 'postgres.log', basename(replaced)])
  },
  120_000,
)

test('a backup cannot write outside DATA_DIR', async () => {
  const folder = makeFolder()
  const file = join(folder, 'backup')
  const { connection } = await createTestDatabase()
  for (const name of ['../evil', '/tmp/evil', 'chain/../../evil', 'postgres.log']) {
    const [schema] = await collect(dumpTables(connection))
    await writeBackupFile(file, list(schema as BackupEntry, { kind: 'file', file: name }))
    expect((await runCommand(['restore', file], { DATA_DIR: join(folder, 'data') })).stderr).toBe(
      `slipway: The backup has an unknown file "${name}".\n`,
    )
    rmSync(file)
  }
  expect(readdirSync(folder)).toEqual([])
})

test('with DATABASE_URL, backup and restore name the tools to use', async () => {
  for (const command of ['backup', 'restore'])
    expect(await runCommand([command, 'x'], { DATABASE_URL: 'postgres://db.example/x' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Use pg_dump and pg_restore'),
    })
})
