import type { World } from '@slipway/local-chain'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { fetchLaunchFacts } from '../../chain/launch-facts.ts'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import type { Database } from '../../store/database.ts'
import { insertLaunches } from '../../store/launches.ts'

const OPEN_END = new Date('9999-12-31T23:59:59.999Z')
const WRONG = new Date('2001-01-01T00:00:00.000Z')

/** Puts the demo's launches into the store with correct names and wrong values everywhere else. */
export async function registerWorld(
  database: Database,
  network: Network,
  launches: World['launches'],
  registeredAt: Date,
): Promise<void> {
  await insertLaunches(
    database,
    launches.map(({ genesisAddress, mint, entry: { name, symbol } }) => ({
      token: { network, mint, name, symbol },
      launch: {
        network,
        genesisAddress,
        mint,
        mechanic: 'launchpoolV2',
        startsAt: WRONG,
        endsAt: WRONG,
        lastActivityAt: WRONG,
        registeredAt,
      },
    })),
  )
}

export interface NaiveLaunch {
  mechanic: string
  startTime: string
  endTime: string
  graduatedAt: string | null
  lastActivityAt: string
}

/**
 * Computes a launch the simple way, with one read after another. It remembers the time of each graduation, because
 * the chain does not record it.
 */
export async function readNaively(
  rpc: ChainCalls,
  address: Address,
  registeredAt: Date,
  graduations: Map<Address, number> = new Map(),
): Promise<NaiveLaunch> {
  const { facts } = await fetchLaunchFacts(rpc, address)
  if (!facts?.times) throw new Error(`no launch at ${address}`)
  const { times, buckets } = facts
  const changes = new Map<Address, number>()
  const lastOf = async (account: Address) =>
    (await rpc.fetchSignatures(account, { limit: 50 })).find(({ failed }) => !failed)?.blockTime
  for (const bucket of buckets) {
    const last = await lastOf(bucket.address)
    if (last !== undefined) changes.set(bucket.address, last)
  }
  const pools = buckets.filter(({ kind }) => kind === 'raydiumCpmmV2')
  const deciding = pools.length > 0 ? pools : [times.primary]
  const known = deciding.flatMap(({ address: at }) => changes.get(at) ?? [])
  const seen = graduations.get(address) ?? (known.length > 0 ? Math.min(...known) : await lastOf(address))
  const graduated = times.graduated ? seen : undefined
  if (graduated !== undefined) graduations.set(address, graduated)
  const end = times.endTime ?? graduated
  const activityMs = Math.max(registeredAt.getTime(), ...[...changes.values()].map(time => time * 1_000))
  return {
    mechanic: times.mechanic,
    startTime: new Date(times.startTime === undefined ? registeredAt : times.startTime * 1_000).toISOString(),
    endTime: (end === undefined ? OPEN_END : new Date(end * 1_000)).toISOString(),
    graduatedAt: graduated === undefined ? null : new Date(graduated * 1_000).toISOString(),
    lastActivityAt: new Date(activityMs).toISOString(),
  }
}
