import type { LaunchActivity, RewardBucket } from '@slipway/client'

/** What a wallet has earned from one launch, in the smallest unit of what the launch is paid in. */
export interface RewardsOfLaunch {
  genesisAddress: string
  quoteMint: string
  buckets: RewardBucket[]
  earned: string
  claimed: string
  claimable: string
}

/**
 * The buckets that a launch's fees come from. Before the first fee, it is the one that will have it: the curve, or the
 * pool once the launch has graduated.
 */
export function findSources(buckets: readonly RewardBucket[], hasGraduated: boolean): RewardBucket[] {
  const paying = buckets.filter(({ accrued, uncollected }) => accrued !== '0' || uncollected !== '0')
  if (paying.length > 0) return paying
  const next = buckets.find(({ kind }) => (kind === 'raydiumCpmmV2') === hasGraduated) ?? buckets[0]
  return next ? [next] : []
}

/**
 * A launch that has graduated pays from its curve and from its pool. By token, and within a token the largest claim
 * first.
 */
export function groupByLaunch(buckets: readonly RewardBucket[]): RewardsOfLaunch[] {
  const groups = new Map<string, RewardBucket[]>()
  for (const bucket of buckets) {
    const key = `${bucket.genesisAddress} ${bucket.quoteMint}`
    groups.set(key, [...(groups.get(key) ?? []), bucket])
  }
  const launches = [...groups.values()].map(group => {
    const [{ genesisAddress, quoteMint }] = group as [RewardBucket]
    const sum = (unitsOf: (bucket: RewardBucket) => bigint) =>
      `${group.reduce((total, bucket) => total + unitsOf(bucket), 0n)}`
    return {
      genesisAddress,
      quoteMint,
      buckets: group,
      earned: sum(({ accrued, uncollected }) => BigInt(accrued) + BigInt(uncollected)),
      claimed: sum(({ claimed }) => BigInt(claimed)),
      claimable: sum(({ claimable }) => BigInt(claimable)),
    }
  })
  // Amounts of different tokens do not compare.
  const tokens = [...new Set(launches.map(({ quoteMint }) => quoteMint))]
  return tokens.flatMap(token =>
    launches
      .filter(({ quoteMint }) => quoteMint === token)
      .sort(
        (one, other) =>
          Number(BigInt(other.claimable) - BigInt(one.claimable)) ||
          Number(BigInt(other.earned) - BigInt(one.earned)),
      ),
  )
}

/** How a launch's fees have grown within a day. */
export interface Growth {
  units: bigint
  /** How long they were seen growing, if the service has not watched them for the whole day. */
  spanMs?: number
  /** For a chart. */
  values: number[]
}

const DAY_MS = 86_400_000
/** The oldest point is that much younger than a day at most. */
const STEP_MS = 3_600_000

/** Undefined if it can't be told. A launch that opened within the day began with no fees. */
export function findGrowth(
  { points, current }: Pick<LaunchActivity, 'points' | 'current'>,
  startTime: string | undefined,
  nowMs: number,
): Growth | undefined {
  const known = points.flatMap(({ time, creatorFees }) =>
    creatorFees === null ? [] : [{ atMs: Date.parse(time), fees: creatorFees }],
  )
  const fees = known.map(point => point.fees)
  if (current?.creatorFees != null) fees.push(current.creatorFees)
  const openedMs = Date.parse(startTime ?? '')
  if (openedMs > nowMs - DAY_MS) fees.unshift('0')
  const [first, last] = [fees[0], fees.at(-1)]
  if (first === undefined || last === undefined || fees.length < 2) return undefined
  const growth = { units: BigInt(last) - BigInt(first), values: fees.map(Number) }
  const sinceMs = known[0]?.atMs ?? nowMs
  if (openedMs > nowMs - DAY_MS || sinceMs <= nowMs - DAY_MS + STEP_MS) return growth
  // Nothing seen in a part of the day says nothing about the rest of it.
  return growth.units === 0n ? undefined : { ...growth, spanMs: nowMs - sinceMs }
}
