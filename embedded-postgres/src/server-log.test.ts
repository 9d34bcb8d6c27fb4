import {
  appendFileSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  write,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openDataDir } from './data-dir.ts'
import { openServerLog } from './server-log.ts'
import * as t from './testing/helpers.ts'

t.useCleanUp()

const writeTo = promisify(write)
const limits = { bytesMax: 10_000, intervalMs: 20 }

test('a log that grows while the server runs is bounded, and its last lines are kept in one old file', async () => {
  const folder = t.temporaryFolder()
  const log = await openServerLog(await openDataDir(folder), limits)
  t.onCleanUp(log.close)
  const old = `${log.path}.1`
  for (let round = 1; round <= 3; round += 1) {
    for (let line = 0; line < 300; line += 1)
      await writeTo(log.fd, `round ${round}, line ${line} ${'x'.repeat(40)}\n`)
    await expect.poll(() => statSync(log.path).size, { timeout: 20_000 }).toBeLessThan(limits.bytesMax)
    await expect.poll(() => readFileSync(old, 'utf8'), { timeout: 20_000 }).toContain(`round ${round},`)
    expect(statSync(old).size).toBeLessThanOrEqual(limits.bytesMax)
  }
  await writeTo(log.fd, 'ERROR:  the last word\n')
  expect(readFileSync(log.path, 'utf8')).toMatch(/ERROR: {2}the last word\n$/)
  expect(readdirSync(folder).sort()).toEqual(['postgres.log', 'postgres.log.1'])
})

test('a link in place of the old file is replaced, and its target is not written to', async () => {
  const folder = t.temporaryFolder()
  const target = join(t.temporaryFolder(), 'target')
  writeFileSync(target, 'mine')
  for (const name of ['postgres.log.1', 'postgres.log.new']) symlinkSync(target, join(folder, name))
  const log = await openServerLog(await openDataDir(folder), limits)
  t.onCleanUp(log.close)
  await writeTo(log.fd, 'x'.repeat(20_000))
  await expect.poll(() => statSync(log.path).size, { timeout: 20_000 }).toBe(0)
  expect(readFileSync(target, 'utf8')).toBe('mine')
  expect(statSync(`${log.path}.1`).size).toBe(limits.bytesMax)
})

test('a real server keeps logging to its file after the file was emptied', async () => {
  const dataDir = await t.initializedDataDir()
  const opened = await t.open({ dataDir }, { log: { intervalMs: 100 } })
  const path = join(dataDir, 'postgres.log')
  appendFileSync(path, 'x'.repeat(6_000_000))
  await expect.poll(() => statSync(path).size, { timeout: 20_000 }).toBeLessThan(100_000)
  await expect(t.query(opened, 'SELECT no_such_column')).rejects.toThrow()
  await expect.poll(() => readFileSync(path, 'utf8'), { timeout: 20_000 }).toContain('no_such_column')
  expect(readFileSync(path, 'utf8')).not.toContain('\0')
  expect(statSync(`${path}.1`).size).toBe(5_000_000)
})
