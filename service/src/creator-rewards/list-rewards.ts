import type { Address } from '@slipway/schema/address'
import type { CreatorRewards } from '@slipway/schema/creator-rewards'
import { compareRewards, type Reward } from './reward.ts'
import type { WalletRewards } from './wallet-rewards.ts'

const AMOUNTS = ['accrued', 'claimed', 'uncollected', 'claimable'] as const
type Amounts = Record<(typeof AMOUNTS)[number], bigint>

/** What an interface shows before a claim: every bucket of the wallet, and what they come to in each quote token. */
export function listRewards(wallet: Address, { rewards, fault }: WalletRewards): CreatorRewards {
  if (rewards.length === 0 && fault) throw fault
  const sorted = [...rewards].sort(compareRewards)
  return {
    wallet,
    buckets: sorted.map(reward => ({
      address: reward.address,
      kind: reward.kind,
      genesisAddress: reward.genesis,
      quoteMint: reward.quoteMint,
      ...print(reward),
    })),
    totals: [...addUp(sorted)].map(([quoteMint, sums]) => ({ quoteMint, ...print(sums) })),
  }
}

function addUp(rewards: readonly Reward[]): Map<Address, Amounts> {
  const totals = new Map<Address, Amounts>()
  for (const reward of rewards) {
    const sums = totals.get(reward.quoteMint) ?? { accrued: 0n, claimed: 0n, uncollected: 0n, claimable: 0n }
    for (const amount of AMOUNTS) sums[amount] += reward[amount]
    totals.set(reward.quoteMint, sums)
  }
  return totals
}

/** A JSON number would lose the last digits of a large amount. */
const print = (amounts: Amounts) => ({
  accrued: `${amounts.accrued}`,
  claimed: `${amounts.claimed}`,
  uncollected: `${amounts.uncollected}`,
  claimable: `${amounts.claimable}`,
})
