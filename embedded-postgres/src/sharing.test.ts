import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as t from './testing/helpers.ts'

t.useCleanUp()

test('a second service on the same DATA_DIR gets an error that names the process using it', async () => {
  const dataDir = await t.initializedDataDir()
  const first = await t.startInstance({ dataDir })
  const pid = t.postmasterPid(dataDir)
  const message = `DATA_DIR ${dataDir} is in use by another running Slipway (Slipway process ${first.child.pid}`
  await expect(t.open({ dataDir })).rejects.toThrow(message)
  expect(t.postmasterPid(dataDir)).toBe(pid)
  expect(await first.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
})

test('if two services start at once on an empty DATA_DIR, one runs and the other gets an error', async () => {
  const dataDir = t.dataDirIn()
  const results = await Promise.allSettled([t.startInstance({ dataDir }), t.startInstance({ dataDir })])
  const running = results.filter(result => result.status === 'fulfilled')
  const refused = results.filter(result => result.status === 'rejected')
  expect(running).toHaveLength(1)
  expect(refused[0]?.reason.message).toContain('is in use by another running Slipway')
  expect(await running[0]?.value.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  expect(readdirSync(dataDir).filter(name => name.startsWith('db.new'))).toEqual([])
})

test('a command joins the running service and leaves it running', async () => {
  const dataDir = await t.initializedDataDir()
  const service = await t.startInstance({ dataDir })
  const command = await t.open({ dataDir, role: 'guest' })
  expect(command.startedHere).toBe(false)
  expect(await t.query(command, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  await command.stop()
  expect(await service.query('SELECT 2 AS n')).toEqual([{ n: 2 }])
})

test('a command without a service starts a server and stops it at the end', async () => {
  const dataDir = await t.initializedDataDir()
  const command = await t.open({ dataDir, role: 'guest' })
  const pid = t.postmasterPid(dataDir)
  expect(command.startedHere).toBe(true)
  await command.stop()
  expect(await t.isServerRunning(dataDir, pid)).toBe(false)
})

test('the last of two commands stops the server', async () => {
  const dataDir = await t.initializedDataDir()
  const first = await t.startInstance({ dataDir, role: 'guest' })
  const second = await t.open({ dataDir, role: 'guest' })
  const pid = t.postmasterPid(dataDir)
  await first.stop()
  expect([first.startedHere, second.startedHere]).toEqual([true, false])
  expect(await t.query(second, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  await second.stop()
  expect(await t.isServerRunning(dataDir, pid)).toBe(false)
})

test('a service waits for the command that started the server, then starts its own', async () => {
  const dataDir = await t.initializedDataDir()
  const command = await t.startInstance({ dataDir, role: 'guest' })
  const pid = t.postmasterPid(dataDir)
  const service = t.open({ dataDir })
  await sleep(800)
  expect(t.postmasterPid(dataDir)).toBe(pid)
  expect(await command.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  await command.stop()
  const opened = await service
  expect(opened.startedHere).toBe(true)
  expect(await t.query(opened, 'SELECT 2 AS n')).toEqual([{ n: 2 }])
})
