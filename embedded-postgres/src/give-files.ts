import { lchown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './user.ts'

/**
 * Hands a database to the account that will run it, as two starts by root may choose different accounts.
 * The top folder comes last: its owner tells that all below it are done.
 */
export async function giveFiles(pgdata: string, { uid, gid }: Account): Promise<void> {
  const top = await lstat(pgdata)
  if (top.uid === uid) return
  await giveBelow(pgdata, uid, gid)
  await lchown(pgdata, uid, gid)
}

async function giveBelow(folder: string, uid: number, gid: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveBelow(path, uid, gid)
    // The former owner could have linked any file of the system in here; PostgreSQL itself links none.
    else if (entry.isFile() && (await lstat(path)).nlink > 1) throw new Error(`${path} has a second name`)
    await lchown(path, uid, gid)
  }
}
