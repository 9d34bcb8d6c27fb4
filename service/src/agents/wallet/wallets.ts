import type { Address } from '@slipway/schema/address'
import type { AgentWallet } from '@slipway/schema/agent-wallet'
import { createLru } from '../../lib/create-lru.ts'
import { createSingleFlight } from '../../lib/single-flight.ts'
import { readWallet, type WalletParts } from './read-wallet.ts'

const SLOT_MS = 400
const SHARED_MAX = 1_000

/** Wallets as of this slot or the one before: requests within a slot share one read. */
export function createWallets(parts: WalletParts, now: () => number = () => performance.now()) {
  const shared = createLru<Address, AgentWallet>(SHARED_MAX, {
    ttl: SLOT_MS,
    perf: { now },
    ttlResolution: 0,
  })
  const share = createSingleFlight<Address, AgentWallet>()
  return async (agent: Address): Promise<AgentWallet> =>
    shared.get(agent) ??
    share(agent, async () => {
      const wallet = await readWallet(parts, agent)
      shared.set(agent, wallet)
      return wallet
    })
}
