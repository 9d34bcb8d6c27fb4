import type { RewardBucket } from '@slipway/client'

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
