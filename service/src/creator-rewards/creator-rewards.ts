import type { Address } from '@slipway/schema/address'
import type { ClaimResult, CreatorRewards } from '@slipway/schema/creator-rewards'
import { NETWORKS, type Network } from '@slipway/schema/network'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import type { RequestScope } from '../endpoint/endpoint.ts'
import { findWalletBuckets, saveFoundBuckets } from '../store/buckets.ts'
import { requestRecheck } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import { sampleBuckets } from '../store/removed-accounts.ts'
import type { Log } from '../telemetry/log.ts'
import { createLogSampler } from '../telemetry/log-sampler.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createMissingCheck } from './check-missing.ts'
import { type ClaimInput, type ClaimParts, createClaims } from './claim-creator-rewards.ts'
import { compareRewards, type Reward } from './read-rewards.ts'
import {
  createBoundedSearch,
  type SearchLimits,
  type SearchPurpose,
  searchBuckets,
} from './search-buckets.ts'
import { createTokenAccounts } from './token-accounts.ts'
import { createWalletRewards, type WalletRewards } from './wallet-rewards.ts'

/** The creator rewards of one network. */
export interface NetworkRewards {
  claim(input: ClaimInput, scope: RequestScope): Promise<ClaimResult>
  list(wallet: Address, scope: RequestScope): Promise<CreatorRewards>
  /** Whether requests failed in the last minute because the chain lacks indexed accounts and can't be trusted. */
  isWithholding(): boolean
}

/** Opens the creator rewards of each network that is served. */
export function createRewards(
  chains: Partial<Record<Network, RewardsChain>>,
  parts: RewardsParts,
): Partial<Record<Network, NetworkRewards>> {
  const rewards: Partial<Record<Network, NetworkRewards>> = {}
  for (const network of NETWORKS) {
    const chain = chains[network]
    if (chain) rewards[network] = createNetworkRewards(network, chain, parts)
  }
  return rewards
}

interface RewardsChain {
  rpc: ChainRpc
  blockhash: ClaimParts['blockhash']
}

interface RewardsParts {
  database: Database
  metrics: Pick<Metrics, 'bucketSearches' | 'rewardsWithheld'>
  log: Log
  limits: RewardsLimits
}

export interface RewardsLimits {
  requestMs: number
  searchMs: number
  search?: Partial<SearchLimits>
}

/** Buckets that are read to see whether the chain is complete. */
const SAMPLE = 100
const LOGGED_MAX = 5
/** Only requests discover missing accounts, so the last discovery counts for this long. */
const WITHHOLDING_MS = 60_000

function createNetworkRewards(
  network: Network,
  { rpc, blockhash }: RewardsChain,
  { database, metrics, log, limits: { requestMs, searchMs, search: searchLimits } }: RewardsParts,
): NetworkRewards {
  let withheldMs = Number.NEGATIVE_INFINITY
  const logMissing = createLogSampler<object>((fields, leftOut) =>
    log.error(
      { network, ...fields, ...(leftOut > 0 && { leftOut }) },
      'indexed accounts are missing on the chain: creator rewards that need them return 503; check the RPC endpoints',
    ),
  )
  const checkMissing = createMissingCheck({
    reader: rpc,
    sample: () => sampleBuckets(database, network, SAMPLE),
    onDoubt(addresses, doubt) {
      withheldMs = performance.now()
      metrics.rewardsWithheld.inc({ network })
      logMissing('missing', { addresses: addresses.slice(0, LOGGED_MAX), err: doubt })
    },
  })
  const tokenAccounts = createTokenAccounts(rpc, checkMissing)
  const search = createBoundedSearch(wallet => searchBuckets(rpc, wallet, searchMs), {
    searchMs,
    limits: searchLimits,
    observer: {
      onSearch: outcome => metrics.bucketSearches.inc({ network, outcome }),
      onRefused: error =>
        log.warn(
          { err: error, network },
          'the RPC refuses to search for the buckets of a wallet: until the index is complete, creators can claim only from buckets in the store',
        ),
    },
  })
  const readFor = (purpose: SearchPurpose) =>
    createWalletRewards({
      requestMs,
      reader: rpc,
      checkMissing,
      expectedTokenAccounts: tokenAccounts.expectedFor,
      async findKnown(wallet) {
        const known = await findWalletBuckets(database, network, wallet)
        // The next read must not be older than the index.
        if (known.indexed) rpc.noteSlot(known.indexed.slot, known.indexed.at)
        return known
      },
      search: (wallet, client) => search(wallet, { client, purpose }),
      remember(found) {
        const rows = found.map(bucket => ({ network, ...bucket }))
        saveFoundBuckets(database, rows).catch(error =>
          log.warn({ err: error, network }, 'could not save buckets that were found on the chain'),
        )
      },
      onMissing() {
        log.warn({ network }, 'a bucket in the index is missing on the chain')
        requestRecheck(database, network).catch(() => {})
      },
    })
  const readRewards = readFor('preview')
  return {
    claim: createClaims({ readRewards: readFor('claim'), reader: rpc, tokenAccounts, blockhash }),
    list: async (wallet, scope) => listRewards(wallet, await readRewards(wallet, scope)),
    isWithholding: () => performance.now() - withheldMs < WITHHOLDING_MS,
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
