import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The folder may not exist yet. */
export async function readFreeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    if (dirname(folder) === folder) throw error
    return readFreeBytes(dirname(folder))
  }
}
