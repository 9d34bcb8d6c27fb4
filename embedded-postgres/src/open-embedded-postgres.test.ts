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
import { EmbeddedPostgresError } from './api.ts'
import * as t from './testing/helpers.ts'

t.useCleanUp()

test('an empty DATA_DIR gets a private, durable database that survives a stop', async () => {
  const dataDir = t.dataDirIn()
  const first = await t.open({ dataDir })
  const names = ['listen_addresses', 'fsync', 'server_encoding']
  const shown = await Promise.all(names.map(name => t.query(first, `SHOW ${name}`)))
  expect(shown).toEqual([[{ listen_addresses: '' }], [{ fsync: 'on' }], [{ server_encoding: 'UTF8' }]])
  expect(statSync(first.connection.host).mode & 0o777).toBe(0o700)
  expect(await t.query(first, 'SELECT current_database() AS name')).toEqual([{ name: 'slipway' }])
  const [locale] = await t.query(first, 'SELECT datlocprovider, datlocale FROM pg_database LIMIT 1')
  expect(locale).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8' })
  await t.query(first, 'CREATE TABLE kept AS SELECT 7 AS n')
  const pid = t.postmasterPid(dataDir)
  // The server has its own process group, so that Ctrl-C does not reach it.
  const group = execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' })
  expect(Number(group)).toBe(pid)
  await first.stop()
  expect(await t.isServerRunning(dataDir, pid)).toBe(false)
  expect(await t.query(await t.open({ dataDir }), 'SELECT n FROM kept')).toEqual([{ n: 7 }])
})

test('a server allows as many connections as its owner may open, and some more', async () => {
  const dataDir = await t.initializedDataDir()
  const few = await t.open({ dataDir, connections: 13 })
  expect(await t.query(few, 'SHOW max_connections')).toEqual([{ max_connections: '100' }])
  await few.stop()
  const many = await t.open({ dataDir, connections: 390 })
  expect(await t.query(many, 'SHOW max_connections')).toEqual([{ max_connections: '410' }])
})

test('a large server log is rotated at the next start', async () => {
  const dataDir = await t.initializedDataDir()
  writeFileSync(join(dataDir, 'postgres.log'), Buffer.alloc(6_000_000))
  await t.open({ dataDir })
  expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(10_000)
  expect(statSync(join(dataDir, 'postgres.log.1')).size).toBe(6_000_000)
})

describe('a path that is too long for a socket', () => {
  const longDataDir = () => {
    const folder = join(t.temporaryFolder(), 'ä'.repeat(60))
    mkdirSync(folder)
    return t.initializedDataDir(folder)
  }

  test('puts the socket in a private temporary folder', async () => {
    const opened = await t.open({ dataDir: await longDataDir() })
    const { host } = opened.connection
    t.onCleanUp(() => rmSync(host, { recursive: true, force: true }))
    expect(statSync(host).mode & 0o777).toBe(0o700)
    expect(await t.query(opened, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  test.skipIf(!t.isRoot)('is refused if another user created the socket folder', async () => {
    const dataDir = await longDataDir()
    const opened = await t.open({ dataDir })
    const { host } = opened.connection
    await opened.stop()
    t.onCleanUp(() => rmSync(host, { recursive: true, force: true }))
    execFileSync('chown', ['-R', '12345', host])
    await expect(t.open({ dataDir })).rejects.toThrow(`${host} belongs to another user`)
  })
})

describe('a one-line error reports', () => {
  test('a DATA_DIR that is a file', async () => {
    const dataDir = join(t.temporaryFolder(), 'file')
    writeFileSync(dataDir, '')
    const failure = t.open({ dataDir })
    await expect(failure).rejects.toBeInstanceOf(EmbeddedPostgresError)
    await expect(failure).rejects.toThrow(`DATA_DIR ${dataDir} is a file`)
    await expect(t.open({ dataDir: join(dataDir, 'below') })).rejects.toThrow('is a file')
  })

  test('a database of another PostgreSQL version', async () => {
    const dataDir = t.dataDirIn()
    mkdirSync(join(dataDir, 'db'), { recursive: true, mode: 0o700 })
    writeFileSync(join(dataDir, 'db', 'PG_VERSION'), '17\n')
    await expect(t.open({ dataDir })).rejects.toThrow(`DATA_DIR ${dataDir} holds a PostgreSQL 17 database`)
  })

  test('a folder "db" that is not a database', async () => {
    const dataDir = t.dataDirIn()
    mkdirSync(join(dataDir, 'db', 'photos'), { recursive: true })
    await expect(t.open({ dataDir })).rejects.toThrow('is not a PostgreSQL database')
    expect(existsSync(join(dataDir, 'db', 'photos'))).toBe(true)
  })

  test('missing programs', async () => {
    const failure = t.open({ dataDir: t.dataDirIn() }, { binaries: t.temporaryFolder() })
    await expect(failure).rejects.toThrow('The PostgreSQL programs are missing from')
  })

  test('an invalid PostgreSQL setting, in the words of PostgreSQL', async () => {
    const dataDir = await t.initializedDataDir()
    writeFileSync(join(dataDir, 'db', 'postgresql.auto.conf'), "shared_buffers = 'much'\n")
    await expect(t.open({ dataDir })).rejects.toThrow(
      /DATA_DIR .* cannot be used: FATAL: .*postgresql.auto.conf.*postgres\.log/,
    )
  })
})

// Root can write everywhere; root.test.ts covers the same case for an ordinary user.
test.skipIf(t.isRoot)('a DATA_DIR that is not writable is reported in one line', async () => {
  const folder = t.temporaryFolder()
  chmodSync(folder, 0o555)
  await expect(t.open({ dataDir: join(folder, 'data') })).rejects.toThrow('is not accessible to this user')
})

test('environment variables meant for another PostgreSQL have no effect', async () => {
  for (const [name, value] of Object.entries({ PGPORT: '6000', PGDATA: '/nowhere', PGSSLMODE: 'require' }))
    vi.stubEnv(name, value)
  t.onCleanUp(() => vi.unstubAllEnvs())
  const opened = await t.open({ dataDir: t.dataDirIn() })
  expect(await t.query(opened, 'SHOW port')).toEqual([{ port: '5432' }])
})

test('missing library links are created', async () => {
  const binaries = t.copyInstalledBinaries(t.temporaryFolder())
  const lib = join(binaries, 'lib')
  const links = readdirSync(lib).filter(name => lstatSync(join(lib, name)).isSymbolicLink())
  expect(links.length).toBeGreaterThan(5)
  for (const name of links) rmSync(join(lib, name))
  await t.open({ dataDir: await t.initializedDataDir() }, { binaries })
  expect(links.filter(name => !existsSync(join(lib, name)))).toEqual([])
})

test('a bundle in the build folder of the service finds the installed programs', async () => {
  const folder = join(t.root, `service/dist/test-${process.pid}`)
  t.onCleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const file = await t.bundle(join(folder, 'main.js'), 'external')
  const instance = await t.startInstance({ dataDir: await t.initializedDataDir(), file, overrides: {} })
  expect(await instance.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  await instance.stop()
})

test('only a database that a killed start created in part is removed', async () => {
  const dataDir = t.dataDirIn()
  const parent = process.ppid
  for (const name of [`db.new-4194000-aa`, `db.new-${process.pid}-bb`, `db.new-${parent}-cc`, 'other']) {
    mkdirSync(join(dataDir, name, 'base'), { recursive: true })
  }
  await t.open({ dataDir })
  expect(readdirSync(dataDir).sort()).toEqual(['db', `db.new-${parent}-cc`, 'other', 'postgres.log'])
})
