import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Demo, startDemo } from '@slipway/local-chain'
import { inject } from 'vitest'
import { freeChainPort } from './run-slipway.ts'

/** Some launches of the demo start minutes after its world was built. */
const AGE_MS_MAX = 5 * 60_000
const log = { info: () => {}, error: () => {} }

let world: { folder: string; builtMs: number } | undefined

/**
 * Starts the demo in an empty folder, with a copy of a world that this process has built before. Building one takes ten times
 * as long. The documents keep their port, so one process can run only one copy at a time.
 */
export async function startDemoCopy(dataDir: string, { activity = false }): Promise<Demo> {
  const start = async () => {
    if (!world || Date.now() - world.builtMs > AGE_MS_MAX) world = await buildWorld()
    cpSync(world.folder, dataDir, { recursive: true })
    return startDemo({ dataDir, port: 0, activity, log })
  }
  return start().catch(() => {
    // By now, another program may have the port.
    world = undefined
    rmSync(dataDir, { recursive: true, force: true })
    return start()
  })
}

async function buildWorld() {
  const folder = mkdtempSync(join(inject('demoWorlds'), 'world-'))
  const builtMs = Date.now()
  const demo = await startDemo({ dataDir: folder, port: Number(await freeChainPort()), activity: false, log })
  await demo.close()
  return { folder, builtMs }
}
