import { setTimeout as sleep } from 'node:timers/promises'
import { claimStarted } from './claim-started.ts'
import { EmbeddedPostgresError, explainFailure } from './clear-error.ts'
import { openDataDir } from './data-dir.ts'
import { joinAsGuest } from './join-as-guest.ts'
import { findRunning } from './postmaster.ts'
import { type Places, prepare } from './prepare.ts'
import { replaceOrphan } from './replace-orphan.ts'
import { startServer } from './start-server.ts'

export { EmbeddedPostgresError }

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface EmbeddedPostgres {
  /** For `pg`; the host is the folder of the server's socket. */
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  /** Whether the server was started here, or joined as the guest of whoever did. */
  how: 'started' | 'joined'
  /** Bounded to about four seconds. A guest leaves a server alone that others use. */
  stop(): Promise<void>
}

export interface Options {
  /** The database lives in its folder `db`. */
  dataDir: string
  /** The service owns the server; a command is a guest on it, and starts one for its own duration if there is none. */
  role: 'owner' | 'guest'
  log: Log
}

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
