import { GENESIS_PROGRAM, IDENTITY_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq } from 'drizzle-orm'
import { decodeBucket } from '../../chain/accounts/bucket.ts'
import { decodeIdentity } from '../../chain/accounts/identity.ts'
import { fetchAgentFacts } from '../../chain/agent-facts.ts'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import type { Database } from '../../store/database.ts'
import { agents, buckets, launches } from '../../store/tables.ts'
import { readNaively } from './naive.ts'

/** Everything that the indexer keeps, computed from the chain without any code of the indexer. */
export async function readChain(
  rpc: ChainCalls,
  registered: readonly Address[],
  registeredAt: Date,
  graduations: Map<Address, number>,
) {
  const shown = new Map<Address, object>()
  for (const address of registered)
    shown.set(address, await readNaively(rpc, address, registeredAt, graduations))
  const found = new Map<Address, object>()
  for (const account of (await rpc.fetchProgramAccounts(IDENTITY_PROGRAM, { filters: [] })).accounts) {
    const identity = decodeIdentity(account)
    if (!identity.exists) continue
    const { facts } = await fetchAgentFacts(rpc, identity.asset)
    if (facts) found.set(identity.asset, facts)
  }
  const parts = new Map<Address, object>()
  for (const account of (await rpc.fetchProgramAccounts(GENESIS_PROGRAM, { filters: [] })).accounts) {
    const bucket = decodeBucket(account)
    if (!bucket.exists) continue
    const { address, genesis, kind, creatorFee } = bucket
    parts.set(address, { genesisAddress: genesis, kind, creatorFeeWallet: creatorFee?.wallet ?? null })
  }
  return { launches: sorted(shown), agents: sorted(found), buckets: sorted(parts) }
}

/** The same, from the store. */
export async function readStore(database: Database, network: Network) {
  const shown = await database.run('test', db =>
    db.select().from(launches).where(eq(launches.network, network)),
  )
  const found = await database.run('test', db => db.select().from(agents).where(eq(agents.network, network)))
  const parts = await database.run('test', db =>
    db
      .select()
      .from(buckets)
      .where(and(eq(buckets.network, network))),
  )
  return {
    launches: sorted(
      new Map(
        shown.map(({ genesisAddress, mechanic, startsAt, endsAt, graduatedAt, lastActivityAt }) => [
          genesisAddress,
          {
            mechanic,
            startTime: startsAt.toISOString(),
            endTime: endsAt.toISOString(),
            graduatedAt: graduatedAt?.toISOString() ?? null,
            lastActivityAt: lastActivityAt.toISOString(),
          },
        ]),
      ),
    ),
    agents: sorted(
      new Map(found.map(({ network: _, address, slot: __, documents: ___, ...facts }) => [address, facts])),
    ),
    buckets: sorted(
      new Map(
        parts.map(({ address, genesisAddress, kind, creatorFeeWallet }) => [
          address,
          { genesisAddress, kind, creatorFeeWallet },
        ]),
      ),
    ),
  }
}

const sorted = (all: ReadonlyMap<Address, object>) =>
  Object.fromEntries([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)))
