import { stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Binaries, openBinaries } from './binaries.ts'
import { EmbeddedPostgresError } from './clear-error.ts'
import { createDatabase } from './create-database.ts'
import type { Place } from './data-dir.ts'
import { giveFiles } from './give-files.ts'
import { listWays, works } from './run-as.ts'
import type { Setup } from './setup.ts'
import { openSocketFolder } from './socket-folder.ts'
import { systemFolder, useSystemFolder } from './system-folder.ts'
import { isRoot, type RunAs } from './user.ts'

/** Other places than the usual ones, for tests. */
export interface Places {
  native?: string
  systemFolder?: string
}

/** Finds the programs and a user to run them as, and makes the database if there is none. */
export async function prepare(place: Place, places: Places): Promise<Setup> {
  const found = await openBinaries(places.native)
  if (place.major !== undefined && place.major !== found.major) {
    throw new EmbeddedPostgresError(
      `DATA_DIR ${place.named} holds a database of PostgreSQL ${place.major}, but this Slipway has ${found.major}: use the Slipway it was made with to move the data, or choose another DATA_DIR.`,
    )
  }
  const { runAs, binaries, pgdata } = await chooseWay(place, found, places.systemFolder ?? systemFolder)
  if (place.major === undefined) await make(place, { runAs, binaries, pgdata })
  if (isRoot()) await giveFiles(pgdata, runAs.files)
  const socketFolder = await openSocketFolder(pgdata, runAs)
  return { place: { ...place, pgdata }, pgdata, binaries, runAs, socketFolder }
}

async function chooseWay(place: Place, binaries: Binaries, folder: string) {
  const { pgdata } = place
  const ways = await listWays(place.owner)
  // An ordinary user runs what is there as itself; only making a database can ask for more.
  if (!isRoot() && place.major !== undefined && ways[0]) return { runAs: ways[0], binaries, pgdata }
  for (const runAs of ways) {
    if (await works(runAs, binaries, pgdata)) return { runAs, binaries, pgdata }
  }
  if (!isRoot()) {
    throw new EmbeddedPostgresError(
      `DATA_DIR ${place.named} cannot get a database: PostgreSQL cannot run as this user (id ${process.getuid?.()}), who may lack an entry in /etc/passwd. Run as another user, or set DATABASE_URL.`,
    )
  }
  const last = await useSystemFolder({ place, binaries, folder }, { pgdata })
  if (last) return last
  throw new EmbeddedPostgresError(
    `DATA_DIR ${place.named} cannot be used by root: PostgreSQL must run as another user and none can reach it. Run Slipway as an ordinary user, choose a DATA_DIR that the user "postgres" or "nobody" can reach, or set DATABASE_URL.`,
  )
}

async function make(place: Place, made: { runAs: RunAs; binaries: Binaries; pgdata: string }): Promise<void> {
  // In the system folder it may have been made by a start that ended before it could link to it.
  const isMade = await stat(join(made.pgdata, 'PG_VERSION')).catch(() => undefined)
  if (!isMade) await createDatabase(made, made)
  if (made.pgdata === place.pgdata) return
  await symlink(made.pgdata, join(place.dataDir, 'db')).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
}
