import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainCalls } from '../chain/rpc/create-rpc.ts'
import { pause } from '../lib/pause.ts'
import type { IndexLease } from '../store/index-lease.ts'
import { type FollowedNetwork, followNetwork, type RefreshAgent } from './follow-network.ts'
import { INDEXER_LIMITS, type IndexerLimits } from './limits.ts'
import type { IndexerObserver } from './observer.ts'
import type { HeldRemoval } from './reading/remove-missing.ts'

interface IndexerParts {
  networks: readonly { network: Network; rpc: ChainCalls; wsUrl: string }[]
  /** Waits until this node may index the network; undefined if the signal comes first. */
  takeLease(network: Network, signal: AbortSignal): Promise<IndexLease | undefined>
  refreshAgent: RefreshAgent
  observer: IndexerObserver
  limits?: Partial<IndexerLimits>
}

export interface Indexer {
  /** This node or another one wrote these rows. */
  storeChanged(kind: 'launches' | 'agents', network: Network, addresses: readonly Address[]): void
  everythingChanged(): void
  isLeading(network: Network): boolean
  /** Set while removals are held back because too many accounts are missing. */
  held(network: Network): HeldRemoval | undefined
  close(): Promise<void>
}

const STOP_MS = 700

/** Keeps the store in step with the chains. Only one node at a time indexes a network. */
export function createIndexer({
  networks,
  takeLease,
  refreshAgent,
  observer,
  limits: given = {},
}: IndexerParts): Indexer {
  const limits = { ...INDEXER_LIMITS, ...given }
  const stopped = new AbortController()
  const followed = new Map<Network, FollowedNetwork>()
  const done = Promise.all(networks.map(lead))

  async function lead({ network, rpc, wsUrl }: IndexerParts['networks'][number]) {
    while (!stopped.signal.aborted) {
      const lease = await takeLease(network, stopped.signal)
      if (!lease) return
      observer.onLeading(network, true)
      const follower = followNetwork({
        network,
        rpc,
        wsUrl,
        database: lease.database,
        refreshAgent,
        observer,
        limits,
        signal: AbortSignal.any([stopped.signal, lease.lost]),
      })
      followed.set(network, follower)
      const resign = () => {
        if (followed.delete(network)) observer.onLeading(network, false)
      }
      // The follower may wait for a minute, and another node may be indexing by then.
      lease.lost.addEventListener('abort', resign)
      const failure = await follower.done.then(
        () => undefined,
        error => error as Error,
      )
      if (failure) observer.onFault(network, 'indexing stopped', failure)
      resign()
      await lease.release()
      // Usually this node can't read the chain, so another one may take the lease now.
      if (failure) await pause(limits.handOverMs, stopped.signal)
    }
  }

  return {
    storeChanged: (kind, network, addresses) => followed.get(network)?.storeChanged(kind, addresses),
    everythingChanged() {
      for (const follower of followed.values()) follower.everythingChanged()
    },
    isLeading: network => followed.has(network),
    held: network => followed.get(network)?.held(),
    async close() {
      stopped.abort()
      // A call in flight is not awaited: it can no longer write, because its database session ends with the node.
      await Promise.race([done, sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}
