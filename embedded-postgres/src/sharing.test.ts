import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as t from './testing/helpers.ts'

test('a second service on the same DATA_DIR is told who uses it', async () => {
  const dataDir = await t.madeDataDir()
  const first = await t.startInstance({ dataDir })
  const pid = t.postmasterPid(dataDir)
  const said = `DATA_DIR ${dataDir} is in use by another running Slipway (Slipway process ${first.child.pid}`
  await expect(t.open({ dataDir })).rejects.toThrow(said)
  expect(t.postmasterPid(dataDir)).toBe(pid)
  expect(await first.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
})

test('of two services that start at once on an empty DATA_DIR one runs and one is told', async () => {
  const dataDir = t.dataDirIn()
  const both = await Promise.allSettled([t.startInstance({ dataDir }), t.startInstance({ dataDir })])
  const running = both.filter(one => one.status === 'fulfilled')
  const refused = both.filter(one => one.status === 'rejected')
  expect(running).toHaveLength(1)
  expect(refused[0]?.reason.message).toContain('is in use by another running Slipway')
  expect(await running[0]?.value.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  expect(readdirSync(dataDir).filter(name => name.startsWith('db.new'))).toEqual([])
})

test('a command joins the running service and leaves it running', async () => {
  const dataDir = await t.madeDataDir()
  const service = await t.startInstance({ dataDir })
  const command = await t.open({ dataDir, role: 'guest' })
  expect(command.how).toBe('joined')
  expect(await t.query(command, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  await command.stop()
  expect(await service.query('SELECT 2 AS n')).toEqual([{ n: 2 }])
})

test('a command without a service starts a server for its own duration', async () => {
  const dataDir = await t.madeDataDir()
  const command = await t.open({ dataDir, role: 'guest' })
  const pid = t.postmasterPid(dataDir)
  expect(command.how).toBe('started')
  await command.stop()
  expect(await t.runs(dataDir, pid)).toBe(false)
})

test('of two commands the last one to leave stops the server', async () => {
  const dataDir = await t.madeDataDir()
  const first = await t.startInstance({ dataDir, role: 'guest' })
  const second = await t.open({ dataDir, role: 'guest' })
  const pid = t.postmasterPid(dataDir)
  await first.stop()
  expect([first.how, second.how]).toEqual(['started', 'joined'])
  expect(await t.query(second, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  await second.stop()
  expect(await t.runs(dataDir, pid)).toBe(false)
})

test('a service waits for a command that started the server, then runs', async () => {
  const dataDir = await t.madeDataDir()
  const command = await t.startInstance({ dataDir, role: 'guest' })
  const pid = t.postmasterPid(dataDir)
  const service = t.open({ dataDir })
  await sleep(800)
  expect(t.postmasterPid(dataDir)).toBe(pid)
  expect(await command.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  await command.stop()
  const opened = await service
  expect(opened.how).toBe('started')
  expect(await t.query(opened, 'SELECT 2 AS n')).toEqual([{ n: 2 }])
})
