import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Demo, startDemo } from '@slipway/local-chain'
import { inject } from 'vitest'
import { freeChainPort } from './run-slipway.ts'

/** Hours after a world was built, launches of it end. */
const AGE_MS_MAX = 60 * 60_000
const log = { info: () => {}, error: () => {} }

let world: { folder: string; port: string; builtMs: number } | undefined

/** Starts the demo in an empty folder, with a copy of a world. */
export function startDemoCopy(dataDir: string, { activity = false }): Promise<Demo> {
  const start = async () => {
    await copyDemoWorld(dataDir)
    return startDemo({ dataDir, port: 0, activity, log })
  }
  return start().catch(() => {
    // By now, another program may have the port.
    world = undefined
    rmSync(dataDir, { recursive: true, force: true })
    return start()
  })
}

/**
 * Copies a world that this process has built before: building one takes ten times as long as starting a copy. Returns
 * the LOCAL_CHAIN_PORT of the copy. The documents keep their port, so only one copy can run at a time.
 */
export async function copyDemoWorld(dataDir: string): Promise<string> {
  if (!world || Date.now() - world.builtMs > AGE_MS_MAX) world = await buildWorld()
  cpSync(world.folder, dataDir, { recursive: true })
  return world.port
}

async function buildWorld() {
  const folder = mkdtempSync(join(inject('demoWorlds'), 'world-'))
  const builtMs = Date.now()
  const port = await freeChainPort()
  const demo = await startDemo({ dataDir: folder, port: Number(port), activity: false, log })
  await demo.close()
  return { folder, port, builtMs }
}
