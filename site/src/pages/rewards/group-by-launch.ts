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

/** A launch that has graduated pays from its curve and from its pool. In the order of the first bucket of each launch. */
export function groupByLaunch(buckets: readonly RewardBucket[]): RewardsOfLaunch[] {
  const groups = new Map<string, RewardBucket[]>()
  for (const bucket of buckets) {
    const key = `${bucket.genesisAddress} ${bucket.quoteMint}`
    groups.set(key, [...(groups.get(key) ?? []), bucket])
  }
  return [...groups.values()].map(group => {
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
}
