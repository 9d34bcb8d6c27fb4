import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder for the demo worlds and databases that test processes build once and copy. */
    demoWorlds: string
  }
}

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-worlds-'))
  // A database server may run as another user.
  await chmod(folder, 0o755)
  project.provide('demoWorlds', folder)
  return () => rm(folder, { recursive: true, force: true })
}
