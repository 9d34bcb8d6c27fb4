import type { Address } from '@slipway/schema/address'
import type { AccountReader } from '../chain/account-reader.ts'
import type { WalletBucket } from '../store/wallet-buckets.ts'
import { findBuckets } from './find-buckets.ts'
import { createFreshFlights } from './fresh-flights.ts'
import { readRewards } from './read-rewards.ts'
import type { Reward } from './reward.ts'
import type { QuoteToken, TokenFacts } from './token-facts.ts'

/** All that the chain says of a wallet's rewards, no older than the question. */
export interface WalletRewards {
  rewards: Reward[]
  /** What was learnt of the tokens on the way. */
  quote: Map<Address, QuoteToken>
  /** Why some buckets may be missing. */
  fault: unknown
}

export interface FoundBucket extends WalletBucket {
  genesisAddress: Address
  creatorFeeWallet: Address
  slot: number
}

export interface WalletRewardsParts {
  reader: AccountReader
  tokens: TokenFacts
  findKnown(wallet: Address): Promise<{ isIndexComplete: boolean; buckets: WalletBucket[] }>
  search(wallet: Address): Promise<WalletBucket[]>
  /** Buckets that the store did not know. Nobody waits for it. */
  remember(buckets: FoundBucket[]): void
}

/** One look-up in the store and one batched read; those who ask for one wallet at the same time share them. */
export function createWalletRewards(parts: WalletRewardsParts): (wallet: Address) => Promise<WalletRewards> {
  const { reader, tokens, remember } = parts
  return createFreshFlights(async wallet => {
    const { buckets, unknown, fault } = await findBuckets(parts, wallet)
    const expected = tokens.expect(wallet)
    const alongside = expected.map(({ account }) => account)
    const read = await readRewards(reader, wallet, { buckets, alongside })
    const found = read.rewards.filter(({ address }) => unknown.has(address))
    if (found.length > 0)
      remember(
        found.map(({ address, kind, genesis }) => ({
          address,
          kind,
          genesisAddress: genesis,
          creatorFeeWallet: wallet,
          slot: read.slot,
        })),
      )
    return { rewards: read.rewards, quote: tokens.learn(expected, read.alongside), fault }
  })
}
