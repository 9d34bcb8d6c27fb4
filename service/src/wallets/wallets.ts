import type { Address } from '@slipway/schema/address'
import type { Wallet } from '@slipway/schema/wallet'
import { LRUCache } from 'lru-cache'
import type { RequestScope } from '../endpoint/endpoint.ts'
import { createSingleFlight } from '../lib/single-flight.ts'
import { readWallet, type WalletPage, type WalletParts } from './read-wallet.ts'

const KEPT_MS = 5_000
/** In all cached wallets together; an entry has about a kilobyte. */
const CACHED_ENTRIES_MAX = 20_000

export type ReadWallet = (wallet: Address, page: WalletPage, scope: RequestScope) => Promise<Wallet>

/** Wallets that are at most five seconds old: everyone who asks within that time shares one read. */
export function createWallets(parts: WalletParts, now: () => number = () => performance.now()): ReadWallet {
  const kept = new LRUCache<string, Wallet>({
    ttl: KEPT_MS,
    perf: { now },
    ttlResolution: 0,
    maxSize: CACHED_ENTRIES_MAX,
    sizeCalculation: ({ positions, launches, agents }) =>
      1 + positions.length + launches.length + agents.length,
  })
  const share = createSingleFlight<string, Wallet>()
  return async (wallet, page, scope) => {
    const key = JSON.stringify([wallet, page.limit, page.positions, page.launches, page.agents, page.rewards])
    return (
      kept.get(key) ??
      share(key, async () => {
        const read = await readWallet(parts, wallet, page, scope)
        kept.set(key, read)
        return read
      })
    )
  }
}
