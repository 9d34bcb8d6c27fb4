import { createHash } from 'node:crypto'
import { becomesPool } from '@slipway/launch-model/kinds/kinds'
import { resolveLaunchTimes, showsGraduation } from '@slipway/launch-model/launch-times'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainAccount, CheckedReader } from '../../chain/account-reader.ts'
import { type DecodedBucket, decodeBucket } from '../../chain/accounts/bucket.ts'
import { saveActivity, saveActivitySources } from '../../store/activity.ts'
import { findBucketsOf, type KnownBucket, type NewBucket, saveBuckets } from '../../store/buckets.ts'
import type { Database } from '../../store/database.ts'
import { type IndexedLaunch, updateLaunches } from '../../store/indexed-launches.ts'
import { isBehind } from '../slot-watch.ts'
import type { BlockTimes } from './block-times.ts'
import { collectActivity, readPools } from './launch-activity.ts'

/** A subscription's report of a bucket's last change. */
export interface BucketHint {
  slot: number
  digest: string
  /** The first slot at which it was reported to have graduated. */
  graduatedSlot: number | undefined
}

/** Launches to read, each with the reports about its buckets. */
export type LaunchHints = Map<Address, Map<Address, BucketHint>>

interface LaunchIndexParts {
  network: Network
  reader: CheckedReader
  database: Database
  times: BlockTimes
}

interface SeenBucket {
  bucket: DecodedBucket
  digest: string
  changedAt: Date
  /** No change is known; the registration's time is used instead. */
  isGuess: boolean
  hint: BucketHint | undefined
}

interface LaunchIndexResult {
  written: number
  /** The node that answered has not reached the reported slot. */
  behind: Address[]
  /** Buckets that the node has. */
  found: Address[]
  /** Buckets that the node lacks, or has as something else. They and their launches stay as they are. */
  missing: Address[]
}

/**
 * Updates registered launches from the chain. Hints only say where to look and when something changed. They may come
 * twice, late or in any order; only what was read from the chain is written. `onlyNews` skips launches whose buckets
 * have not changed.
 */
export async function indexLaunches(
  parts: LaunchIndexParts,
  hints: LaunchHints,
  { onlyNews = false }: { onlyNews?: boolean } = {},
): Promise<LaunchIndexResult> {
  const { network, reader, database } = parts
  const sinceMs = performance.now()
  const known = await findBucketsOf(database, network, [...hints.keys()])
  if (known.length === 0) return { written: 0, behind: [], found: [], missing: [] }
  const { slot, launches, pools, behind, found, missing } = await readLaunchAccounts(parts, hints, known)
  const seen = [...launches.values()].flat()
  const before = new Map(known.map(row => [row.address, row]))
  const knownOf = new Map(known.map(row => [row.genesisAddress, row]))
  const changed = seen.filter(isNews(before))
  const news = changed.map(toRow(network, slot))
  const changedLaunches = new Set(changed.map(({ bucket }) => bucket.genesis))
  const { activity, sources } = await collectActivity(
    parts,
    [...launches].map(([address, ofLaunch]) => ({
      known: knownOf.get(address) as KnownBucket,
      buckets: ofLaunch.map(({ bucket }) => bucket),
      isChanged: changedLaunches.has(address),
      pool: pools.get(address),
      changedAt: latest(ofLaunch.map(({ changedAt }) => changedAt)),
    })),
    slot,
  )
  const isUnchanged = news.length === 0 && activity.length === 0 && sources.length === 0
  if (onlyNews && isUnchanged) return { written: 0, behind, found, missing }
  const rows = await Promise.all(
    [...launches].map(([address, buckets]) => toLaunch(parts.times, address, buckets, slot)),
  )
  await reader.confirmCluster(sinceMs).catch(error => {
    // The block times may have come from another cluster too.
    parts.times.forget()
    throw error
  })
  const written = await updateLaunches(
    database,
    network,
    rows.filter(row => row !== undefined),
  )
  // The digests come last: if this is interrupted, the next run updates the launch.
  if (!isUnchanged)
    await database.transact('buckets.index', async db => {
      await saveBuckets(db, news)
      await saveActivitySources(db, sources)
      await saveActivity(db, activity)
    })
  return { written, behind, found, missing }
}

/** Reads the buckets of launches, and the pools of those that have graduated. */
async function readLaunchAccounts(
  { network, reader, times }: Pick<LaunchIndexParts, 'network' | 'reader' | 'times'>,
  hints: LaunchHints,
  known: readonly KnownBucket[],
) {
  const [{ slot, accounts }, pools] = await Promise.all([
    reader.fetchAccounts(known.map(({ address }) => address)),
    readPools(reader, network, known),
  ])

  const launches = new Map<Address, SeenBucket[]>()
  const behind = new Set<Address>()
  /** Without one of its buckets, a launch would look wrong: for example, as if it had not graduated. */
  const incomplete = new Set<Address>()
  const missing: Address[] = []
  await Promise.all(
    known.map(async (row, at) => {
      const { address, genesisAddress } = row
      const account = accounts[at] as ChainAccount
      const hint = hints.get(genesisAddress)?.get(address)
      // The subscribed node is ahead of the one that answered: the launch is read again.
      if (hint && isBehind(slot, hint.slot, reader.slotMs())) behind.add(genesisAddress)
      const bucket = decodeBucket(account)
      const ofLaunch = launches.get(genesisAddress) ?? []
      launches.set(genesisAddress, ofLaunch)
      if (!account.exists || !bucket.exists || bucket.genesis !== genesisAddress) {
        missing.push(address)
        incomplete.add(genesisAddress)
      } else {
        const digest = digestOf(account.data)
        const changedAt = await findChange(times, row, { digest, hint, slot })
        const isGuess = changedAt.getTime() === row.registeredAt.getTime()
        ofLaunch.push({ bucket, digest, changedAt, isGuess, hint })
      }
    }),
  )
  const found = [...launches.values()].flat().map(({ bucket }) => bucket.address)
  for (const address of [...behind, ...incomplete]) launches.delete(address)
  return { slot, launches, pools, behind: [...behind], found, missing }
}

export const digestOf = (data: Uint8Array): string =>
  createHash('sha256').update(data).digest('base64').slice(0, 22)

/** When the account last changed. */
async function findChange(
  times: BlockTimes,
  { address, digest: before, changedAt, registeredAt }: KnownBucket,
  { digest, hint, slot }: { digest: string; hint: BucketHint | undefined; slot: number },
): Promise<Date> {
  const reported = hint?.digest === digest && hint.slot <= slot ? await times.of(hint.slot) : undefined
  // A repeated or late report must not move the time back.
  if (before === digest && changedAt) return reported && reported > changedAt ? reported : changedAt
  if (reported) return reported
  // This change was not reported, or a later one was reported as well.
  const last = await times.ofLastChange(address, slot)
  if (last) return last
  return before === null ? registeredAt : times.of(slot)
}

const isNews = (before: ReadonlyMap<Address, KnownBucket>) => (seen: SeenBucket) => {
  const known = before.get(seen.bucket.address)
  return known?.digest !== seen.digest || known.changedAt?.getTime() !== seen.changedAt.getTime()
}

const toRow =
  (network: Network, slot: number) =>
  ({ bucket, digest, changedAt }: SeenBucket): NewBucket => ({
    network,
    address: bucket.address,
    genesisAddress: bucket.genesis,
    kind: bucket.kind,
    creatorFeeWallet: bucket.creatorFee?.wallet ?? null,
    slot,
    digest,
    changedAt,
  })

async function toLaunch(
  times: BlockTimes,
  genesisAddress: Address,
  seen: readonly SeenBucket[],
  slot: number,
): Promise<IndexedLaunch | undefined> {
  const facts = resolveLaunchTimes(seen.map(({ bucket }) => bucket))
  if (!facts) return undefined
  const pools = seen.filter(({ bucket }) => becomesPool(bucket.kind))
  const deciding = pools.length > 0 ? pools : seen.filter(({ bucket }) => bucket === facts.primary)
  const graduates = deciding.filter(({ bucket }) => showsGraduation(bucket))
  const reported = graduates.flatMap(({ hint }) => hint?.graduatedSlot ?? [])
  const known = graduates.filter(({ isGuess }) => !isGuess).map(({ changedAt }) => changedAt)
  async function findGraduation(): Promise<Date> {
    if (reported.length > 0) return times.of(Math.min(...reported))
    if (known.length > 0) return earliest(known)
    return (await times.ofLastChange(genesisAddress, slot)) ?? times.of(slot)
  }
  return {
    genesisAddress,
    slot,
    mechanic: facts.mechanic,
    startsAt: toDate(facts.startTime),
    endsAt: toDate(facts.endTime),
    graduatedAt: facts.graduated ? await findGraduation() : undefined,
    changedAt: latest(seen.map(({ changedAt }) => changedAt)),
  }
}

const toDate = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(seconds * 1_000)
const earliest = (dates: readonly Date[]) => dates.reduce((a, b) => (b < a ? b : a))
const latest = (dates: readonly Date[]) => dates.reduce((a, b) => (b > a ? b : a))
