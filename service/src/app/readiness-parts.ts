import { BLOCKS_TO_EXPIRY, describeBlocks } from '@slipway/launch-model/expiry'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { describeSlotTime } from '../chain/drift.ts'
import { describeLacking, type EndpointState } from '../chain/rpc/caller.ts'
import type { RpcError } from '../chain/rpc/fault.ts'
import type { Config } from '../config.ts'
import type { NetworkRewards } from '../creator-rewards/creator-rewards.ts'
import type { Indexer } from '../indexer/create-indexer.ts'
import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'
import type { Database } from '../store/database.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { NOTE, NotReady, type ReadinessPart } from '../telemetry/readiness.ts'
import type { Chains } from './open-chains.ts'
import { indexerReadiness } from './open-indexer.ts'
import type { StoreWatch } from './watch-store.ts'
import { watchTrades } from './watch-trades.ts'

/** The parts that every request may need. Each has a line in `/readyz`. */
export function listReadinessParts({
  database,
  storeWatch,
  chains,
  snapshots,
  rewards,
  config: {
    cardSigning: { key },
    tradesPerSecond,
  },
  metrics,
  isListening,
  indexerOf,
}: {
  database: Database
  storeWatch: StoreWatch
  chains: Chains
  snapshots: LaunchSnapshots
  rewards: Partial<Record<Network, Pick<NetworkRewards, 'isWithholding'>>>
  config: Pick<Config, 'cardSigning' | 'tradesPerSecond'>
  metrics: Metrics
  /** Whether the store's changes arrive. */
  isListening(): boolean
  indexerOf(): Indexer | undefined
}): ReadinessPart[] {
  return [
    {
      name: 'store',
      async check() {
        const start = performance.now()
        await database.run('readiness', db => db.execute(sql`SELECT 1`))
        const ms = performance.now() - start
        storeWatch.assertWritable()
        return `answered in ${ms.toFixed(1)} ms`
      },
    },
    storeWatch.clock,
    {
      name: 'listings',
      async check() {
        if (!isListening())
          throw new NotReady('not receiving change notifications; the listings may be out of date')
        return NETWORKS.map(network => `${snapshots.of(network).size} launches on ${network}`).join(', ')
      },
    },
    {
      name: 'cards',
      check: async () =>
        key ? `signed with key ${key.publicJwk.kid}` : 'unsigned, CARD_SIGNING_KEY is not set',
    },
    ...Object.entries(chains).map(([network, { rpc, drift }]) => ({
      name: `rpc ${network}`,
      async check() {
        const health = await rpc.health().catch((error: unknown) => error as RpcError)
        const foreign = describeForeign(rpc.states())
        if (health instanceof Error) throw new NotReady(foreign || describeOutage(health))
        const states = rpc.states()
        const up = states.filter(({ isUp }) => isUp).length
        const { slot, ms } = health
        // Other requests don't need those accounts.
        const withheld = rewards[network as Network]?.isWithholding()
          ? 'indexed accounts are missing: creator rewards return 503'
          : ''
        const line = [
          `slot ${slot} in ${ms.toFixed(1)} ms`,
          describeExpiry(rpc.measuredSlotMs()),
          `${up} of ${states.length} endpoints up`,
          foreign,
          describeLacking(states),
          withheld,
        ]
          .filter(Boolean)
          .join(', ')
        const slotTime = describeSlotTime(rpc.measuredSlotMs())
        return [line, ...(slotTime ? [slotTime] : []), ...drift.list()].join(NOTE)
      },
    })),
    ...indexerReadiness(database, chains, indexerOf),
    ...watchTrades(database, {
      chains,
      metrics,
      readsTrades: network => tradesPerSecond > 0 && (indexerOf()?.isLeading(network) ?? false),
    }),
  ]
}

const describeExpiry = (slotMs: number | undefined) =>
  slotMs === undefined ? '' : `transactions expire after ${describeBlocks(BLOCKS_TO_EXPIRY, slotMs)}`

/** Describes the endpoints that belong to another cluster, without hosts: the text is public. */
function describeForeign(states: readonly EndpointState[]): string {
  const foreign = states.flatMap(state => state.foreign ?? [])
  const [first] = foreign
  if (!first) return ''
  const are = foreign.length === 1 ? '1 endpoint belongs' : `${foreign.length} endpoints belong`
  const expected = first.expected ?? 'one that has the stored accounts'
  return `${are} to another cluster (genesis hash ${first.genesisHash}, expected ${expected})`
}

const describeOutage = ({ kind }: RpcError) =>
  kind === 'lagging' ? 'every endpoint is behind the newest slot seen' : 'no endpoint answers'
