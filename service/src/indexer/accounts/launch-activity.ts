import { poolStateAddress, poolVaultAddress } from '@slipway/launch-model/addresses'
import { computeFigures, findGoal, type PoolReserves } from '@slipway/launch-model/figures'
import { becomesPool } from '@slipway/launch-model/kinds/kinds'
import { resolveLaunchTimes } from '@slipway/launch-model/launch-times'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import type { AccountReader, ChainAccount } from '../../chain/account-reader.ts'
import type { DecodedBucket } from '../../chain/accounts/bucket.ts'
import { decodeGenesisAccount } from '../../chain/accounts/genesis-account.ts'
import { decodeMint } from '../../chain/accounts/mint.ts'
import { decodePoolReserves } from '../../chain/accounts/pool-state.ts'
import type { ActivitySource, NewActivity } from '../../store/activity.ts'
import type { KnownBucket } from '../../store/buckets.ts'
import type { Database } from '../../store/database.ts'

/** A launch as it was just read, all of its buckets included. */
export interface ReadLaunch {
  known: KnownBucket
  buckets: readonly DecodedBucket[]
  /** Whether one of its buckets has changed since it was last stored. */
  isChanged: boolean
  /** Absent before graduation. */
  pool: LaunchPool | undefined
  /** The last change of its buckets. */
  changedAt: Date
}

/** What to store about the figures of launches that were read at this slot. */
export async function collectActivity(
  {
    reader,
    times,
    database,
  }: {
    reader: AccountReader
    times: { of(slot: number): Promise<Date> }
    database: Pick<Database, 'nowMs'>
  },
  launches: readonly ReadLaunch[],
  slot: number,
): Promise<{ activity: NewActivity[]; sources: ActivitySource[] }> {
  const due = launches.filter(isDue)
  const sources = await readSources(reader, due)
  const activity = await Promise.all(
    due.map(async launch => {
      // Trades in a pool are not reported, so its state is as of the read.
      const time = launch.pool?.reserves ? await times.of(slot) : launch.changedAt
      return toActivity(launch, { slot, time: notAfter(database.nowMs(), time) })
    }),
  )
  return { activity: activity.filter(row => row !== undefined), sources }
}

/** Later states are never earlier than this one, so a wrong time in the future would hold all of them back. */
const notAfter = (nowMs: number, time: Date) => new Date(Math.min(time.getTime(), nowMs))

function isDue({ known: { source, graduatedAt }, isChanged, pool }: ReadLaunch): boolean {
  // A pool that was there before may be missing on one node only. What is stored stays.
  if (graduatedAt && source?.pool && !pool?.reserves) return false
  return source === null || isChanged || poolText(pool) !== source.pool
}

function toActivity(
  { known, buckets, pool }: ReadLaunch,
  { slot, time }: { slot: number; time: Date },
): NewActivity | undefined {
  const primary = resolveLaunchTimes(buckets)?.primary
  if (!primary) return undefined
  const { price, progress, participants, creatorFees, ...sale } = computeFigures(
    primary,
    buckets,
    pool?.reserves,
  )
  return {
    launchId: known.launchId,
    slot,
    time,
    raised: `${sale.raised}`,
    sold: `${sale.sold}`,
    supply: `${sale.supply}`,
    priceQuote: price ? `${price.quote}` : null,
    priceBase: price ? `${price.base}` : null,
    progress: progress ?? null,
    participants: participants === undefined ? null : `${participants}`,
    creatorFees: creatorFees === undefined ? null : `${creatorFees}`,
  }
}

function goalText({ buckets }: ReadLaunch): string | null {
  const primary = resolveLaunchTimes(buckets)?.primary
  const goal = primary && findGoal(primary)
  return goal === undefined ? null : `${goal}`
}

/** Which state of the pool is stored. Empty for a graduated launch whose pool can't be read. */
function poolText(pool: LaunchPool | undefined): string | null {
  if (!pool) return null
  const { reserves } = pool
  return reserves ? `${reserves.quote} ${reserves.base} ${reserves.creatorFees}` : ''
}

/** The mints of these launches. Mints that are not known yet take one more read, or two if the buckets are old. */
async function readSources(reader: AccountReader, due: readonly ReadLaunch[]): Promise<ActivitySource[]> {
  const unknown = due.filter(({ known: { source } }) => source === null || hasGaps(source))
  const quoteMints = await findQuoteMints(reader, unknown)
  const mints = new Set(
    unknown.flatMap(({ known }) => [known.mint, quoteMints.get(known.launchId) ?? []].flat()),
  )
  const { accounts } = await reader.fetchAccounts([...mints])
  const decimals = new Map(
    accounts.map(decodeMint).flatMap(mint => (mint.exists ? [[mint.address, mint.decimals] as const] : [])),
  )
  const read = new Set(unknown)
  return due
    .map(launch => {
      const { known, pool } = launch
      const { launchId, mint, source } = known
      const changing = { goal: goalText(launch), pool: poolText(pool) }
      if (source && !read.has(launch)) return { ...source, ...changing }
      const quoteMint = quoteMints.get(launchId) ?? source?.quoteMint ?? null
      return {
        launchId,
        quoteMint,
        quoteDecimals: (quoteMint && decimals.get(quoteMint)) ?? source?.quoteDecimals ?? null,
        baseDecimals: decimals.get(mint) ?? source?.baseDecimals ?? null,
        ...changing,
      }
    })
    .filter((source, at) => isOther(source, due[at]?.known.source ?? null))
}

const hasGaps = ({ quoteMint, quoteDecimals, baseDecimals }: ActivitySource) =>
  quoteMint === null || quoteDecimals === null || baseDecimals === null

const isOther = (a: ActivitySource, b: ActivitySource | null) =>
  b === null ||
  a.quoteMint !== b.quoteMint ||
  a.quoteDecimals !== b.quoteDecimals ||
  a.baseDecimals !== b.baseDecimals ||
  a.goal !== b.goal ||
  a.pool !== b.pool

/** By launch. Old buckets do not name their mints; their launches do. */
async function findQuoteMints(
  reader: AccountReader,
  launches: readonly ReadLaunch[],
): Promise<Map<string, Address>> {
  const found = new Map<string, Address>()
  const without: KnownBucket[] = []
  for (const { known, buckets } of launches) {
    const quoteMint = buckets.find(bucket => bucket.quoteMint)?.quoteMint
    if (quoteMint) found.set(known.launchId, quoteMint)
    else without.push(known)
  }
  const { accounts } = await reader.fetchAccounts(without.map(({ genesisAddress }) => genesisAddress))
  for (const [at, { launchId }] of without.entries()) {
    const genesis = decodeGenesisAccount(accounts[at] as ChainAccount)
    if (genesis.exists) found.set(launchId, genesis.quoteMint)
  }
  return found
}

/** The pool that a launch graduated into. */
interface LaunchPool {
  /** Undefined if the pool can't be read: the launch has no AMM bucket, or no pool is at that bucket's pool address. */
  reserves: PoolReserves | undefined
}

/** Reads the pools of the graduated launches among these. The accounts of a pool are always read at the same slot. */
export async function readPools(
  reader: AccountReader,
  network: Network,
  known: readonly KnownBucket[],
): Promise<Map<Address, LaunchPool>> {
  // A launch whose mints are not known yet is being read for the first time. Its pool is read the next time.
  const graduated = known.filter(({ graduatedAt, source }) => graduatedAt !== null && source !== null)
  const pools = new Map(
    graduated.map(({ genesisAddress }) => [genesisAddress, { reserves: undefined } as LaunchPool]),
  )
  await Promise.all(
    graduated.map(async ({ kind, address, genesisAddress, mint: baseMint, source }) => {
      const quoteMint = source?.quoteMint
      if (!becomesPool(kind) || !quoteMint) return
      const state = poolStateAddress(address)
      const vaults = [baseMint, quoteMint].map(mint =>
        poolVaultAddress(NETWORK_TABLE[network].cluster, state, mint),
      )
      // Concurrent reads share calls, and one read of up to a hundred accounts is never split.
      const { accounts } = await reader.fetchAccounts([state, ...vaults])
      const reserves = decodePoolReserves(accounts, { baseMint, quoteMint })
      if (reserves) pools.set(genesisAddress, { reserves })
    }),
  )
  return pools
}
