import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as t from './testing/helpers.ts'

t.useCleanUp()

/** Returns a DATA_DIR on a small disk, or undefined if this process cannot mount one. */
function mountDisk(size: string): string | undefined {
  if (!t.isRoot || process.platform !== 'linux') return undefined
  const folder = t.temporaryFolder()
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  t.onCleanUp(() => execFileSync('umount', ['-l', disk]))
  return t.dataDirIn(disk)
}

const canMount = mountDisk('1m') !== undefined
await t.cleanUp()

describe.skipIf(!canMount)('a full disk is reported in one line', () => {
  test('while the database is being created, and nothing is left behind', async () => {
    const dataDir = mountDisk('20m') ?? ''
    await expect(t.open({ dataDir })).rejects.toThrow(`DATA_DIR ${dataDir} is on a full disk`)
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('while the server starts, and the server starts once there is space again', async () => {
    const dataDir = mountDisk('120m') ?? ''
    await (await t.open({ dataDir })).stop()
    // The log fills its last page exactly, so that the server cannot even log the error.
    const log = join(dataDir, 'postgres.log')
    truncateSync(log, Math.ceil(statSync(log).size / 4096) * 4096)
    const filler = join(dataDir, 'filler')
    const { bavail, bsize } = statfsSync(dataDir)
    writeFileSync(filler, Buffer.alloc(bavail * bsize))
    await expect(t.open({ dataDir })).rejects.toThrow(`DATA_DIR ${dataDir} is on a full disk`)
    rmSync(filler)
    expect(await t.query(await t.open({ dataDir }), 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  })
})
