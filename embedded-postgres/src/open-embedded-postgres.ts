import { setTimeout as sleep } from 'node:timers/promises'
import { claimStarted } from './claim-started.ts'
import { EmbeddedPostgresError, explainFailure } from './clear-error.ts'
import { openDataDir } from './data-dir.ts'
import { joinAsGuest } from './join-as-guest.ts'
import { findRunning } from './postmaster.ts'
import { type Places, prepare } from './prepare.ts'
import { replaceOrphan } from './replace-orphan.ts'
import { startServer } from './start-server.ts'
import type { EmbeddedPostgres, Options } from './types.ts'

export type { EmbeddedPostgres, Log, Options } from './types.ts'
export { EmbeddedPostgresError }

const racesTimeoutMs = 90_000

/** Runs a PostgreSQL of our own on DATA_DIR, reachable only through a private socket. */
export async function openEmbeddedPostgres(options: Options, places: Places = {}): Promise<EmbeddedPostgres> {
  try {
    return await open(options, places)
  } catch (error) {
    throw explainFailure(options.dataDir, error)
  }
}

async function open(options: Options, places: Places): Promise<EmbeddedPostgres> {
  const { dataDir, role, log } = options
  const deadline = Date.now() + racesTimeoutMs
  // Each round ends with a server or with the news that another process changed what we had found.
  while (Date.now() < deadline) {
    const place = await openDataDir(dataDir)
    if (await findRunning(place.pgdata)) {
      const joined = role === 'guest' ? await joinAsGuest(place) : await replaceOrphan(place, log)
      if (joined) return joined
      continue
    }
    const setup = await prepare(place, places)
    const started = await startServer(setup)
    const opened = started && (await claimStarted(started, setup, options))
    if (opened) return opened
    await sleep(100)
  }
  throw new EmbeddedPostgresError(
    `DATA_DIR ${dataDir} is being started by several processes at once: start only one of them.`,
  )
}
