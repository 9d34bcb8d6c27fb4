import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { StartError } from '../start-error.ts'
import { temporaryFolder } from '../testing/start-chain.ts'
import { lockDirectory } from './lock.ts'

test.each([
  ['a short path', ''],
  ['a path too long for a socket', 'x'.repeat(120)],
])('a folder with %s can be locked once, and again after it is unlocked', async (_, name) => {
  const folder = join(temporaryFolder(), name)
  const [temporary, other] = [process.env.TMPDIR, temporaryFolder()]
  onTestFinished(() => {
    if (temporary === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = temporary
  })
  const unlock = await lockDirectory(folder)
  // A different temporary folder, which system services often have, doesn't get around the lock.
  if (!name) process.env.TMPDIR = other
  await expect(lockDirectory(folder)).rejects.toThrow(StartError)
  await expect(lockDirectory(folder)).rejects.toThrow(/^Another process is using the chain in /)
  await unlock()
  await (await lockDirectory(folder))()
})
