import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { isAlive } from './postmaster.ts'
import * as t from './testing/helpers.ts'
import type { EmbeddedPostgres } from './types.ts'

test('after a service was killed the next one ends its server and has all data', async () => {
  const dataDir = await t.madeDataDir()
  const killed = await t.startInstance({ dataDir })
  await killed.query('CREATE TABLE kept AS SELECT 7 AS n')
  const orphan = t.postmasterPid(dataDir)
  await killed.kill()
  expect(await t.runs(dataDir, orphan)).toBe(true)
  const next = await t.open({ dataDir })
  expect(await t.runs(dataDir, orphan)).toBe(false)
  expect(await t.query(next, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
})

test('after service and server were both killed the next start has all data', async () => {
  const dataDir = await t.madeDataDir()
  const killed = await t.startInstance({ dataDir })
  await killed.query('CREATE TABLE kept AS SELECT 7 AS n')
  const pid = t.postmasterPid(dataDir)
  await killed.kill()
  process.kill(pid, 'SIGKILL')
  expect(await t.query(await t.open({ dataDir }), 'SELECT n FROM kept')).toEqual([{ n: 7 }])
})

test('a server that is killed comes back in the same place, and is still ours alone', async () => {
  const dataDir = await t.madeDataDir()
  const errors: string[] = []
  const log = { ...t.quiet, error: (_: object, message: string) => errors.push(message) }
  const opened = await t.open({ dataDir, log })
  for (let times = 1; times <= 2; times++) {
    await t.query(opened, `CREATE TABLE kept${times} AS SELECT ${times} AS n`)
    process.kill(t.postmasterPid(dataDir), 'SIGKILL')
    await expect
      .poll(() => t.query(opened, `SELECT n FROM kept${times}`), { timeout: 8_000 })
      .toEqual([{ n: times }])
  }
  // The second kill can hit a server that answers already but is not yet reported as started.
  expect(errors[0]).toBe('PostgreSQL ended unexpectedly and is started again')
  expect(errors.length).toBeGreaterThanOrEqual(2)
  await expect(t.startInstance({ dataDir })).rejects.toThrow('is in use by another running Slipway')
})

test.each([0, 3, 10])('stop ends a server that is just being started again, after %d ms', async delayMs => {
  const dataDir = await t.madeDataDir()
  let opened: EmbeddedPostgres | undefined
  const stopped = new Promise(resolve => {
    // Before the restart has begun, and when its process may just be there.
    const error = () => void setTimeout(() => resolve(opened?.stop()), delayMs)
    t.open({ dataDir, log: { ...t.quiet, error } }).then(first => {
      opened = first
      process.kill(t.postmasterPid(dataDir), 'SIGKILL')
    })
  })
  await stopped
  await sleep(300)
  const pid = existsSync(join(dataDir, 'db', 'postmaster.pid')) ? t.postmasterPid(dataDir) : 0
  expect(pid !== 0 && (await t.runs(dataDir, pid))).toBe(false)
})

test('a server that does not react any more is ended by force, in the time that a service has for it', async () => {
  const dataDir = await t.madeDataDir()
  const opened = await t.open({ dataDir })
  await t.query(opened, 'CREATE TABLE kept AS SELECT 7 AS n')
  const pid = t.postmasterPid(dataDir)
  process.kill(pid, 'SIGSTOP')
  const startMs = performance.now()
  await opened.stop()
  expect(performance.now() - startMs).toBeLessThan(3_000)
  expect(await t.runs(dataDir, pid)).toBe(false)
  expect(await t.query(await t.open({ dataDir }), 'SELECT n FROM kept')).toEqual([{ n: 7 }])
})

test('lock files whose process id now belongs to somebody else do not keep us from starting', async () => {
  const dataDir = await t.madeDataDir()
  const somebody = spawn('sleep', ['60'])
  t.onCleanUp(() => somebody.kill())
  const pidFile = join(dataDir, 'db', 'postmaster.pid')
  const text = [somebody.pid, join(dataDir, 'db'), 1, 5432, join(dataDir, 'db'), '', '1 1', 'ready', ''].join(
    '\n',
  )
  writeFileSync(pidFile, text, { mode: 0o600 })
  writeFileSync(join(dataDir, 'db', '.s.PGSQL.5432.lock'), text, { mode: 0o600 })
  const opened = await t.open({ dataDir })
  expect(await t.query(opened, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  expect(isAlive(somebody.pid ?? 0)).toBe(true)
})

test('a start that fails leaves no process behind', async () => {
  const dataDir = await t.madeDataDir()
  appendFileSync(join(dataDir, 'db', 'pg_hba.conf'), 'nonsense\n')
  await expect(t.open({ dataDir })).rejects.toThrow('pg_hba.conf')
  expect(() => readFileSync(join(dataDir, 'db', 'postmaster.pid'))).toThrow('ENOENT')
})

test('a process that ends without stop takes its server with it', async () => {
  const dataDir = await t.madeDataDir()
  const instance = await t.startInstance({ dataDir })
  const pid = t.postmasterPid(dataDir)
  await instance.leave()
  await expect.poll(() => t.runs(dataDir, pid), { timeout: 10_000 }).toBe(false)
})
