import type { Address } from '@slipway/schema/address'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { RegisterLaunchBody } from '@slipway/schema/registration'
import type { Database } from '../store/database.ts'
import { setSpotlight } from '../store/launches.ts'
import { countLaunches } from '../store/read-launches.ts'
import { findRegistered } from '../store/registrations.ts'

export interface DemoLaunch {
  /** The body of `POST /v1/launches/register`, not parsed yet. */
  registration: { network: Network; genesisAccount: Address; launch: object }
  spotlight: boolean
}

/** Registers a launch as the endpoint does, but without HTTP. */
export type Register = (body: RegisterLaunchBody) => Promise<unknown>

interface SeedDependencies {
  database: Database
  register: Register
  /** The launch is tried again at the next start. */
  onFailed(launch: DemoLaunch, error: unknown): void
}

/**
 * Registers the launches of the embedded chains once; a run that was interrupted is completed at the next start.
 * Returns false, and does nothing, if the store holds only other launches.
 */
export async function seedDemo(
  dependencies: SeedDependencies,
  launches: readonly DemoLaunch[],
): Promise<boolean> {
  const networks = NETWORKS.map(network =>
    launches.filter(({ registration }) => registration.network === network),
  )
  const missing = await Promise.all(networks.map(here => findMissing(dependencies.database, here)))
  const hasNone = missing.flat().length === launches.length
  if (launches.length > 0 && hasNone && (await countLaunches(dependencies.database)) > 0) return false
  await Promise.all(networks.map((here, at) => registerMissing(dependencies, here, new Set(missing[at]))))
  return true
}

async function findMissing(database: Database, launches: readonly DemoLaunch[]): Promise<DemoLaunch[]> {
  const [first] = launches
  if (!first) return []
  const addresses = launches.map(({ registration }) => registration.genesisAccount)
  const known = await findRegistered(database, first.registration.network, addresses)
  return launches.filter(({ registration }) => !known.has(registration.genesisAccount))
}

/** Sets the spotlight only while a launch is missing: afterwards it belongs to the operator. */
async function registerMissing(
  { database, register, onFailed }: SeedDependencies,
  launches: readonly DemoLaunch[],
  missing: ReadonlySet<DemoLaunch>,
): Promise<void> {
  if (missing.size === 0) return
  for (const launch of inOrder(launches)) {
    const { registration, spotlight } = launch
    try {
      if (missing.has(launch)) await register(RegisterLaunchBody.parse(registration))
      if (spotlight) await setSpotlight(database, registration.network, registration.genesisAccount, true)
    } catch (error) {
      onFailed(launch, error)
    }
  }
}

/**
 * In reverse, so that the first launches are listed as the newest. One outside of the spotlight comes last of all:
 * until it is registered, a run counts as interrupted and sets the spotlight again.
 */
function inOrder(launches: readonly DemoLaunch[]): DemoLaunch[] {
  const last = launches.find(({ spotlight }) => !spotlight)
  const others = launches.filter(launch => launch !== last).reverse()
  return last ? [...others, last] : others
}
