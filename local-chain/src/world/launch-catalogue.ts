import { bondingCurves } from './launches/bonding-curves.ts'
import type { LaunchEntry } from './launches/launch-entry.ts'
import { launchPools } from './launches/launch-pools.ts'
import { presales } from './launches/presales.ts'

export type { LaunchEntry }

/** The launches of the demo: made-up projects, each with a picture, a text and a place in time. */
export const launchCatalogue: readonly LaunchEntry[] = [...launchPools, ...presales, ...bondingCurves]
