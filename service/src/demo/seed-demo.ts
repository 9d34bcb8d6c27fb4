import type { Address } from '@slipway/schema/address'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { RegisterLaunchBody } from '@slipway/schema/registration'
import type { Database } from '../store/database.ts'
import { countLaunches, setSpotlight } from '../store/launches.ts'
import { findRegistered } from '../store/registrations.ts'

/** What the maker of a launch of the embedded chains sends to have it listed. */
export interface Registration {
  network: Network
  genesisAccount: Address
  launch: object
}

export interface DemoLaunch {
  registration: Registration
  spotlight: boolean
}

/** As any caller registers a launch, without the way through HTTP. */
export type Register = (body: RegisterLaunchBody) => Promise<unknown>

export interface DemoParts {
  database: Database
  register: Register
  /** It is tried again at the next start. */
  onFailed(launch: DemoLaunch, error: unknown): void
}

/**
 * Registers the launches of the embedded chains, once; what a crash has left out is made up for at the next start. A
 * store that holds only others is left alone, and the answer is false.
 */
export async function seedDemo(parts: DemoParts, launches: readonly DemoLaunch[]): Promise<boolean> {
  const networks = NETWORKS.map(network =>
    launches.filter(({ registration }) => registration.network === network),
  )
  const missing = await Promise.all(networks.map(here => findMissing(parts.database, here)))
  const hasNone = missing.flat().length === launches.length
  if (launches.length > 0 && hasNone && (await countLaunches(parts.database)) > 0) return false
  // The chains do not wait for each other.
  await Promise.all(networks.map((here, at) => register(parts, here, new Set(missing[at]))))
  return true
}

async function findMissing(database: Database, launches: readonly DemoLaunch[]): Promise<DemoLaunch[]> {
  const [first] = launches
  if (!first) return []
  const addresses = launches.map(({ registration }) => registration.genesisAccount)
  const known = await findRegistered(database, first.registration.network, addresses)
  return launches.filter(({ registration }) => !known.has(registration.genesisAccount))
}

/** As long as one is missing the work is not done, and the spotlight is set again: nobody has curated it yet. */
async function register(
  { database, register, onFailed }: DemoParts,
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

/** The catalogue's first become the newest; the very last is none of the spotlight, so that one is missing until all is done. */
function inOrder(launches: readonly DemoLaunch[]): DemoLaunch[] {
  const last = launches.find(({ spotlight }) => !spotlight)
  const others = launches.filter(launch => launch !== last).reverse()
  return last ? [...others, last] : others
}
