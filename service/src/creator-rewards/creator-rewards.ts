import type { Address } from '@slipway/schema/address'
import type { ClaimResult, CreatorRewards } from '@slipway/schema/creator-rewards'
import { createBoundedSearch, type SearchLimits, type SearchObserver } from './bounded-search.ts'
import { type ClaimParts, claimCreatorRewards } from './claim-creator-rewards.ts'
import { listRewards } from './list-rewards.ts'
import { createRepeatGuard } from './repeat-guard.ts'
import { type ProgramReader, searchBuckets } from './search-buckets.ts'
import { createTokenFacts } from './token-facts.ts'
import { createWalletRewards, type WalletRewardsParts } from './wallet-rewards.ts'

/** The rewards of one network's creators. */
export interface NetworkRewards {
  claim(input: { wallet: Address; payer: Address }): Promise<ClaimResult>
  list(wallet: Address): Promise<CreatorRewards>
}

export function createNetworkRewards({
  reader,
  blockhash,
  findKnown,
  remember,
  sample,
  onMissing,
  observer,
  limits,
}: Pick<WalletRewardsParts, 'findKnown' | 'remember' | 'sample' | 'onMissing'> & {
  reader: WalletRewardsParts['reader'] & ProgramReader
  blockhash: ClaimParts['blockhash']
  observer: SearchObserver
  limits?: Partial<SearchLimits>
}): NetworkRewards {
  const tokens = createTokenFacts()
  const search = createBoundedSearch(wallet => searchBuckets(reader, wallet), {
    observer,
    ...(limits && { limits }),
  })
  const rewardsOf = createWalletRewards({
    reader,
    tokens,
    findKnown,
    search,
    remember,
    sample,
    onMissing,
  })
  const repeats = createRepeatGuard()
  return {
    claim: input => claimCreatorRewards({ rewardsOf, reader, tokens, blockhash, repeats }, input),
    list: async wallet => listRewards(wallet, await rewardsOf(wallet)),
  }
}
