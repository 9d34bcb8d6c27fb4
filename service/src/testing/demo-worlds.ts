import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder for the demo worlds that test processes build. */
    demoWorlds: string
  }
}

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-worlds-'))
  project.provide('demoWorlds', folder)
  return () => rm(folder, { recursive: true, force: true })
}
