import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { isEndurance } from './endurance.ts'

const MEMORY = '/dev/shm'
const BYTES_MIN = 4 * 2 ** 30

/**
 * Puts temporary folders into memory, if there is enough of it. Most tests copy a database, which is hundreds of
 * files, and a disk takes several times as long for them.
 */
export default function setup() {
  if (isEndurance || process.env.TMPDIR || !hasRoom()) return
  const folder = mkdtempSync(join(MEMORY, 'slipway-'))
  // Like /tmp: a database server may run as another user.
  chmodSync(folder, 0o1777)
  // Test processes and what they start inherit it.
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, freemem()) >= BYTES_MIN
}
