import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
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
  reader: Pick<ChainRpc, 'fetchAccounts' | 'confirmMissing'>
  tokens: TokenFacts
  findKnown(wallet: Address): Promise<{ isIndexComplete: boolean; buckets: WalletBucket[] }>
  search(wallet: Address): Promise<WalletBucket[]>
  /** Buckets that the store did not know. Nobody waits for it. */
  remember(buckets: FoundBucket[]): void
  /** Some other buckets that the store knows. */
  sample(): Promise<Address[]>
  /** A bucket that the store knows is missing on the chain. Nobody waits for it. */
  onMissing(): void
}

/** One look-up in the store and one batched read; those who ask for one wallet at the same time share them. */
export function createWalletRewards(parts: WalletRewardsParts): (wallet: Address) => Promise<WalletRewards> {
  const { reader, tokens, remember } = parts
  return createFreshFlights(async wallet => {
    const { buckets, unknown, fault } = await findBuckets(parts, wallet)
    const expected = tokens.expect(wallet)
    const alongside = expected.map(({ account }) => account)
    const look = () => readRewards(reader, wallet, { buckets, alongside })
    let read = await look()
    const missing = read.missing.filter(address => !unknown.has(address))
    if (missing.length > 0 && (await areElsewhere(parts, missing))) read = await look()
    if (read.missing.some(address => !unknown.has(address))) await assertTrustworthy(parts)
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

const SAMPLE = 99
/** Fewer accounts than this prove nothing about the chain. */
const SAMPLE_MIN = 10
const MISSING_SHARE_MAX = 0.05

/** Whether an endpoint has some of these after all. Those that do not are then no longer asked. */
async function areElsewhere({ reader }: WalletRewardsParts, missing: readonly Address[]): Promise<boolean> {
  const { found } = await reader.confirmMissing(missing)
  return found.length > 0
}

/**
 * Every endpoint agrees that a bucket of the index is missing. That may be true, but an empty or half-empty node says
 * the same. So other buckets of the index are looked up as well: if those are missing too, the chain can't be trusted
 * and it would be a lie to say that there is nothing to claim.
 */
async function assertTrustworthy({ reader, sample, onMissing }: WalletRewardsParts): Promise<void> {
  onMissing()
  const others = (await sample()).slice(0, SAMPLE)
  if (others.length < SAMPLE_MIN) return
  const { accounts } = await reader.fetchAccounts(others)
  const absent = accounts.filter(({ exists }) => !exists).length
  if (absent > others.length * MISSING_SHARE_MAX) throw new ServiceError('SERVICE_UNAVAILABLE')
}
