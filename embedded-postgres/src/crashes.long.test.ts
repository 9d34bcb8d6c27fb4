import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { EmbeddedPostgres } from './api.ts'
import { isAlive, stopSteps } from './postmaster.ts'
import * as t from './testing/helpers.ts'

t.useCleanUp()

test('after a service is killed, the next one stops its server and has all the data', async () => {
  const dataDir = await t.initializedDataDir()
  const killed = await t.startInstance({ dataDir })
  await killed.query('CREATE TABLE kept AS SELECT 7 AS n')
  const orphan = t.postmasterPid(dataDir)
  await killed.kill()
  expect(await t.isServerRunning(dataDir, orphan)).toBe(true)
  const next = await t.open({ dataDir })
  expect(await t.isServerRunning(dataDir, orphan)).toBe(false)
  expect(await t.query(next, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
})

test('after the service and its server are both killed, the next start has all the data', async () => {
  const dataDir = await t.initializedDataDir()
  const killed = await t.startInstance({ dataDir })
  await killed.query('CREATE TABLE kept AS SELECT 7 AS n')
  const pid = t.postmasterPid(dataDir)
  await killed.kill()
  process.kill(pid, 'SIGKILL')
  expect(await t.query(await t.open({ dataDir }), 'SELECT n FROM kept')).toEqual([{ n: 7 }])
})

test('a killed server comes back at the same address and still refuses a second service', async () => {
  const dataDir = await t.initializedDataDir()
  const errors: string[] = []
  const log = { ...t.quiet, error: (_: object, message: string) => errors.push(message) }
  const opened = await t.open({ dataDir, log })
  for (let round = 1; round <= 2; round++) {
    await t.query(opened, `CREATE TABLE kept${round} AS SELECT ${round} AS n`)
    process.kill(t.postmasterPid(dataDir), 'SIGKILL')
    await expect
      .poll(() => t.query(opened, `SELECT n FROM kept${round}`), { timeout: 40_000 })
      .toEqual([{ n: round }])
  }
  // The second kill can hit a server that already answers but whose restart has not yet completed.
  expect(errors[0]).toBe('PostgreSQL exited unexpectedly; restarting it')
  expect(errors.length).toBeGreaterThanOrEqual(2)
  await expect(t.startInstance({ dataDir })).rejects.toThrow('is in use by another running Slipway')
})

test.each([0, 3, 10])('stop() stops a server whose restart began %d ms ago', async delayMs => {
  const dataDir = await t.initializedDataDir()
  let opened: EmbeddedPostgres | undefined
  const stopped = new Promise(resolve => {
    // Covers the time before the restart begins and the moment when its process may have just been spawned.
    const error = () => void setTimeout(() => resolve(opened?.stop()), delayMs)
    t.open({ dataDir, log: { ...t.quiet, error } }).then(first => {
      opened = first
      process.kill(t.postmasterPid(dataDir), 'SIGKILL')
    })
  })
  await stopped
  await sleep(300)
  const pid = existsSync(join(dataDir, 'db', 'postmaster.pid')) ? t.postmasterPid(dataDir) : 0
  expect(pid !== 0 && (await t.isServerRunning(dataDir, pid))).toBe(false)
})

test('a server that no longer responds is killed, and its steps fit into the three seconds that a service allows', async () => {
  const dataDir = await t.initializedDataDir()
  const opened = await t.open({ dataDir })
  await t.query(opened, 'CREATE TABLE kept AS SELECT 7 AS n')
  const pid = t.postmasterPid(dataDir)
  process.kill(pid, 'SIGSTOP')
  await opened.stop()
  const waits = stopSteps.map(([, waitMs]) => waitMs)
  expect(waits.reduce((sum, waitMs) => sum + waitMs)).toBeLessThan(3_000)
  expect(await t.isServerRunning(dataDir, pid)).toBe(false)
  expect(await t.query(await t.open({ dataDir }), 'SELECT n FROM kept')).toEqual([{ n: 7 }])
})

test('lock files whose process id now belongs to another program do not prevent a start', async () => {
  const dataDir = await t.initializedDataDir()
  const otherProgram = spawn('sleep', ['60'])
  t.onCleanUp(() => otherProgram.kill())
  const pidFile = join(dataDir, 'db', 'postmaster.pid')
  const text = [
    otherProgram.pid,
    join(dataDir, 'db'),
    1,
    5432,
    join(dataDir, 'db'),
    '',
    '1 1',
    'ready',
    '',
  ].join('\n')
  writeFileSync(pidFile, text, { mode: 0o600 })
  writeFileSync(join(dataDir, 'db', '.s.PGSQL.5432.lock'), text, { mode: 0o600 })
  const opened = await t.open({ dataDir })
  expect(await t.query(opened, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  expect(isAlive(otherProgram.pid ?? 0)).toBe(true)
})

test('a failed start leaves no process behind', async () => {
  const dataDir = await t.initializedDataDir()
  appendFileSync(join(dataDir, 'db', 'pg_hba.conf'), 'nonsense\n')
  await expect(t.open({ dataDir })).rejects.toThrow('pg_hba.conf')
  expect(() => readFileSync(join(dataDir, 'db', 'postmaster.pid'))).toThrow('ENOENT')
})

test('the server stops when its process exits without calling stop()', async () => {
  const dataDir = await t.initializedDataDir()
  const instance = await t.startInstance({ dataDir })
  const pid = t.postmasterPid(dataDir)
  await instance.exitWithoutStop()
  await expect.poll(() => t.isServerRunning(dataDir, pid), { timeout: 40_000 }).toBe(false)
})
