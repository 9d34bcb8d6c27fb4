import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launchRows } from '../testing/launch-rows.ts'
import { runSql } from '../testing/test-database.ts'
import { openDatabase } from './database.ts'
import { dumpTables } from './dump-tables.ts'
import { insertLaunches } from './launches.ts'
import { migrate } from './migrate.ts'

/** Where Debian and its relatives put a server with its tools. */
const VERSIONS = '/usr/lib/postgresql'
const tools = (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
  .map(version => join(VERSIONS, version, 'bin'))
  .find(folder =>
    ['postgres', 'initdb', 'pg_dump', 'pg_restore'].every(name => existsSync(join(folder, name))),
  )
if (!tools) console.log('PostgreSQL is not installed: backups of a PostgreSQL of your own are not tested')

/** PostgreSQL refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

async function startServer(bin: string) {
  // A socket's path must be short.
  const folder = mkdtempSync('/tmp/slipway-own-')
  if (NOBODY.uid) chownSync(folder, NOBODY.uid, NOBODY.gid as number)
  const data = join(folder, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'owner', '-A', 'trust', '--no-sync'], {
    ...NOBODY,
    stdio: 'pipe',
    cwd: folder,
  })
  const options = ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off']
  const child = spawn(join(bin, 'postgres'), options, { ...NOBODY, stdio: 'ignore', cwd: folder })
  const ended = new Promise(resolve => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const connectionTo = (database: string) => ({ host: folder, port: 5432, user: 'owner', database })
  await expect
    .poll(
      () =>
        runSql(connectionTo('postgres'), 'SELECT 1').then(
          () => true,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true)
  return { folder, connectionTo }
}

/** Runs a documented command with this database. */
function runDocumented(pattern: RegExp, bin: string, options: { cwd: string; databaseUrl: string }): void {
  const docs = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  const command = pattern.exec(docs)?.[0] as string
  const { status, stderr } = spawnSync('sh', ['-c', command], {
    cwd: options.cwd,
    encoding: 'utf8',
    env: { PATH: `${bin}:${process.env.PATH}`, DATABASE_URL: options.databaseUrl },
  })
  expect([command, status, stderr]).toEqual([command, 0, ''])
}

test.skipIf(!tools)('the documented commands back up a PostgreSQL of your own and restore it', async () => {
  const bin = tools as string
  const { folder, connectionTo } = await startServer(bin)
  const urlOf = (name: string) => `postgres:///${name}?host=${encodeURIComponent(folder)}&user=owner`
  await runSql(connectionTo('postgres'), 'CREATE DATABASE before')
  await migrate(connectionTo('before'))
  const database = openDatabase(connectionTo('before'), { onQuery: () => {}, onConnectionLost: () => {} })
  await insertLaunches(database, [launchRows('kept')])
  await database.close()

  runDocumented(/pg_dump --format=custom .*/, bin, { cwd: folder, databaseUrl: urlOf('before') })
  await runSql(connectionTo('postgres'), 'CREATE DATABASE after')
  runDocumented(/pg_restore .*slipway\.dump/, bin, { cwd: folder, databaseUrl: urlOf('after') })

  expect(await migrate(connectionTo('after'))).toBe(0)
  const read = async (name: string) => {
    let text = ''
    for await (const entry of dumpTables(connectionTo(name))) text += JSON.stringify(entry)
    return text
  }
  expect(await read('after')).toBe(await read('before'))
  expect(await read('after')).toContain('kept')
})
