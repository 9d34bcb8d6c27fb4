import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Only root on Linux can mount a disk. */
export const canMountDisk = process.platform === 'linux' && tryMount()

/** A small disk that a test can fill. It is unmounted when the test ends. */
export function mountSmallDisk(size: string) {
  const folder = mount(size)
  onTestFinished(() => unmount(folder))
  const filler = join(folder, 'filler')
  return {
    folder,
    /** Can be repeated: PostgreSQL sometimes gives space back, such as that of a log it no longer needs. */
    fill() {
      const { bavail, bsize } = statfsSync(folder)
      appendFileSync(filler, Buffer.alloc(bavail * bsize))
    },
    free: () => rmSync(filler),
  }
}

function mount(size: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch (error) {
    rmdirSync(folder)
    throw error
  }
  return folder
}

function unmount(folder: string) {
  execFileSync('umount', ['-l', folder])
  rmdirSync(folder)
}

function tryMount(): boolean {
  try {
    unmount(mount('1m'))
    return true
  } catch {
    return false
  }
}
