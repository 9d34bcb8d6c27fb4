import type { Binaries } from './binaries.ts'
import type { Place } from './data-dir.ts'
import type { RunAs } from './user.ts'

/** All that a start needs; it stays the same over restarts. */
export interface Setup {
  place: Place
  pgdata: string
  socketFolder: string
  binaries: Binaries
  runAs: RunAs
}
