import { bondingCurves } from './launches/bonding-curves.ts'
import type { LaunchEntry } from './launches/launch-entry.ts'
import { launchPools } from './launches/launch-pools.ts'
import { presales } from './launches/presales.ts'

/** The launches of the demo: invented projects, each with an image, a description and times. */
export const launchCatalogue: readonly LaunchEntry[] = [...launchPools, ...presales, ...bondingCurves]
