import type { Address } from '@slipway/schema/address'
import type { ClaimResult, CreatorRewards } from '@slipway/schema/creator-rewards'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import type { RequestScope } from '../endpoint/endpoint.ts'
import { createMissingCheck } from './check-missing.ts'
import { type ClaimParts, createClaims } from './claim-creator-rewards.ts'
import { compareRewards, type Reward } from './read-rewards.ts'
import {
  createBoundedSearch,
  type SearchLimits,
  type SearchObserver,
  type SearchPurpose,
  searchBuckets,
} from './search-buckets.ts'
import { createTokenAccounts } from './token-accounts.ts'
import { createWalletRewards, type WalletRewards, type WalletRewardsParts } from './wallet-rewards.ts'

/** The creator rewards of one network. */
export interface NetworkRewards {
  claim(input: { wallet: Address; payer: Address }, scope: RequestScope): Promise<ClaimResult>
  list(wallet: Address, scope: RequestScope): Promise<CreatorRewards>
}

export function createNetworkRewards({
  reader,
  sample,
  blockhash,
  observer,
  limits,
  ...store
}: Pick<WalletRewardsParts, 'findKnown' | 'remember' | 'onMissing'> & {
  reader: WalletRewardsParts['reader'] & Pick<ChainRpc, 'fetchProgramAccounts' | 'confirmMissing'>
  /** Some buckets that the store knows. */
  sample(): Promise<Address[]>
  blockhash: ClaimParts['blockhash']
  observer: SearchObserver
  limits?: Partial<SearchLimits>
}): NetworkRewards {
  const checkMissing = createMissingCheck({ reader, sample })
  const tokenAccounts = createTokenAccounts(reader, checkMissing)
  const search = createBoundedSearch(wallet => searchBuckets(reader, wallet), { observer, limits })
  const readFor = (purpose: SearchPurpose) =>
    createWalletRewards({
      ...store,
      reader,
      checkMissing,
      expectedTokenAccounts: tokenAccounts.expectedFor,
      search: (wallet, client) => search(wallet, { client, purpose }),
    })
  const readRewards = readFor('preview')
  return {
    claim: createClaims({ readRewards: readFor('claim'), tokenAccounts, blockhash }),
    list: async (wallet, scope) => listRewards(wallet, await readRewards(wallet, scope)),
  }
}

const AMOUNTS = ['accrued', 'claimed', 'uncollected', 'claimable'] as const
type Amounts = Record<(typeof AMOUNTS)[number], bigint>

/** Every bucket of the wallet, and the totals per quote token. */
function listRewards(wallet: Address, { rewards, fault, doubt }: WalletRewards): CreatorRewards {
  // A preview must not show less than the chain owes. A claim for the rewards that were found is still correct.
  if (doubt) throw doubt
  if (rewards.length === 0 && fault) throw fault
  const sorted = [...rewards].sort(compareRewards)
  return {
    wallet,
    buckets: sorted.map(reward => ({
      address: reward.address,
      kind: reward.kind,
      genesisAddress: reward.genesis,
      quoteMint: reward.quoteMint,
      ...toStrings(reward),
    })),
    totals: [...sumByQuoteMint(sorted)].map(([quoteMint, sums]) => ({ quoteMint, ...toStrings(sums) })),
  }
}

function sumByQuoteMint(rewards: readonly Reward[]): Map<Address, Amounts> {
  const totals = new Map<Address, Amounts>()
  for (const reward of rewards) {
    const sums = totals.get(reward.quoteMint) ?? { accrued: 0n, claimed: 0n, uncollected: 0n, claimable: 0n }
    for (const amount of AMOUNTS) sums[amount] += reward[amount]
    totals.set(reward.quoteMint, sums)
  }
  return totals
}

/** A JSON number would lose the last digits of a large amount. */
const toStrings = (amounts: Amounts) => ({
  accrued: `${amounts.accrued}`,
  claimed: `${amounts.claimed}`,
  uncollected: `${amounts.uncollected}`,
  claimable: `${amounts.claimable}`,
})
