import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { EmbeddedPostgresError } from './open-embedded-postgres.ts'
import * as t from './testing/helpers.ts'

test('an empty DATA_DIR gets a private, durable database that is still there after a stop', async () => {
  const dataDir = t.dataDirIn()
  const before = Date.now()
  const first = await t.open({ dataDir })
  expect(Date.now() - before).toBeLessThan(6_000)
  const names = ['listen_addresses', 'fsync', 'server_encoding']
  const shown = await Promise.all(names.map(name => t.query(first, `SHOW ${name}`)))
  expect(shown).toEqual([[{ listen_addresses: '' }], [{ fsync: 'on' }], [{ server_encoding: 'UTF8' }]])
  expect(statSync(first.connection.host).mode & 0o777).toBe(0o700)
  expect(await t.query(first, 'SELECT current_database() AS name')).toEqual([{ name: 'slipway' }])
  const [locale] = await t.query(first, 'SELECT datlocprovider, datlocale FROM pg_database LIMIT 1')
  expect(locale).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8' })
  await t.query(first, 'CREATE TABLE kept AS SELECT 7 AS n')
  const pid = t.postmasterPid(dataDir)
  // Not in our process group: Ctrl-C must not reach it.
  const group = execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' })
  expect(Number(group)).toBe(pid)
  await first.stop()
  expect(await t.runs(dataDir, pid)).toBe(false)
  expect(await t.query(await t.open({ dataDir }), 'SELECT n FROM kept')).toEqual([{ n: 7 }])
})

test('a server log that has grown large is put aside at the next start', async () => {
  const dataDir = await t.madeDataDir()
  writeFileSync(join(dataDir, 'postgres.log'), Buffer.alloc(6_000_000))
  await t.open({ dataDir })
  expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(10_000)
  expect(statSync(join(dataDir, 'postgres.log.1')).size).toBe(6_000_000)
})

describe('a path too long for a socket', () => {
  const long = () => {
    const folder = join(t.temporary(), 'ä'.repeat(60))
    mkdirSync(folder)
    return t.dataDirIn(folder)
  }

  test('puts the socket in a private temporary folder', async () => {
    const opened = await t.open({ dataDir: long() })
    const { host } = opened.connection
    t.onCleanUp(() => rmSync(host, { recursive: true, force: true }))
    expect(statSync(host).mode & 0o777).toBe(0o700)
    expect(await t.query(opened, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  test.skipIf(!t.isRoot)('refuses a socket folder that another user made', async () => {
    const dataDir = long()
    const opened = await t.open({ dataDir })
    const { host } = opened.connection
    await opened.stop()
    t.onCleanUp(() => rmSync(host, { recursive: true, force: true }))
    execFileSync('chown', ['-R', '12345', host])
    await expect(t.open({ dataDir })).rejects.toThrow(`${host} belongs to another user`)
  })
})

describe('one clear line', () => {
  test('for a DATA_DIR that is a file', async () => {
    const dataDir = join(t.temporary(), 'file')
    writeFileSync(dataDir, '')
    const failure = t.open({ dataDir })
    await expect(failure).rejects.toBeInstanceOf(EmbeddedPostgresError)
    await expect(failure).rejects.toThrow(`DATA_DIR ${dataDir} is a file`)
    await expect(t.open({ dataDir: join(dataDir, 'below') })).rejects.toThrow('is a file')
  })

  test('for the database of another PostgreSQL', async () => {
    const dataDir = t.dataDirIn()
    mkdirSync(join(dataDir, 'db'), { recursive: true, mode: 0o700 })
    writeFileSync(join(dataDir, 'db', 'PG_VERSION'), '17\n')
    await expect(t.open({ dataDir })).rejects.toThrow(`DATA_DIR ${dataDir} holds a database of PostgreSQL 17`)
  })

  test('for a folder "db" that is something else', async () => {
    const dataDir = t.dataDirIn()
    mkdirSync(join(dataDir, 'db', 'photos'), { recursive: true })
    await expect(t.open({ dataDir })).rejects.toThrow('is not a PostgreSQL database')
    expect(existsSync(join(dataDir, 'db', 'photos'))).toBe(true)
  })

  test('for missing programs', async () => {
    const failure = t.open({ dataDir: t.dataDirIn() }, { native: t.temporary() })
    await expect(failure).rejects.toThrow('The PostgreSQL programs are missing from')
  })

  test('for a configuration that keeps the server from starting, in its own words', async () => {
    const dataDir = await t.madeDataDir()
    writeFileSync(join(dataDir, 'db', 'postgresql.auto.conf'), "shared_buffers = 'much'\n")
    await expect(t.open({ dataDir })).rejects.toThrow(
      /DATA_DIR .* cannot be used: FATAL: .*postgresql.auto.conf.*postgres\.log/,
    )
  })
})

// Root may write everywhere: what it meets is in the tests for root.
test.skipIf(t.isRoot)('a DATA_DIR that cannot be written is one clear line', async () => {
  const folder = t.temporary()
  chmodSync(folder, 0o555)
  await expect(t.open({ dataDir: join(folder, 'data') })).rejects.toThrow('is not accessible to this user')
})

test('variables that are meant for another PostgreSQL change nothing', async () => {
  for (const [name, value] of Object.entries({ PGPORT: '6000', PGDATA: '/nowhere', PGSSLMODE: 'require' }))
    vi.stubEnv(name, value)
  t.onCleanUp(() => vi.unstubAllEnvs())
  const opened = await t.open({ dataDir: t.dataDirIn() })
  expect(await t.query(opened, 'SHOW port')).toEqual([{ port: '5432' }])
})

test('links between libraries that npm did not make are made', async () => {
  const native = t.copyOfBinaries(t.temporary())
  const lib = join(native, 'lib')
  const links = readdirSync(lib).filter(name => lstatSync(join(lib, name)).isSymbolicLink())
  expect(links.length).toBeGreaterThan(5)
  for (const name of links) rmSync(join(lib, name))
  await t.open({ dataDir: t.dataDirIn() }, { native })
  expect(links.filter(name => !existsSync(join(lib, name)))).toEqual([])
})

test('the bundled service finds the installed programs by itself', async () => {
  const folder = join(t.here, `../../../service/dist/test-${process.pid}`)
  t.onCleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const file = await t.bundle(join(folder, 'main.js'), 'external')
  const instance = await t.startInstance({ dataDir: t.dataDirIn(), file, places: {} })
  expect(await instance.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  await instance.stop()
})

test('what a killed start left half made is removed, and no more', async () => {
  const dataDir = t.dataDirIn()
  const parent = process.ppid
  for (const name of [`db.new-4194000-aa`, `db.new-${process.pid}-bb`, `db.new-${parent}-cc`, 'other']) {
    mkdirSync(join(dataDir, name, 'base'), { recursive: true })
  }
  await t.open({ dataDir })
  expect(readdirSync(dataDir).sort()).toEqual(['db', `db.new-${parent}-cc`, 'other', 'postgres.log'])
})
