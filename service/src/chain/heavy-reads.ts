import { addressBytes } from '@slipway/launch-model/bytes/base58'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import pLimit from 'p-limit'
import { networkOf } from '../lib/client-network.ts'
import { createKeptReads } from '../lib/kept-reads.ts'
import { createPlaces, type PlacesMax } from '../lib/places.ts'
import type { SharedCounts } from '../lib/shared-counts.ts'
import { decodeHolding, HOLDING_BYTES } from './accounts/token-account.ts'
import type { ChainRpc } from './rpc/create-rpc.ts'

export interface HeavyReadLimits {
  /** Running and waiting, on all workers together. */
  places: PlacesMax
  /** In this process. */
  running: { all: number; client: number }
}

const PLACES: PlacesMax = { all: 64, client: 8 }
/** How many run at once on a node, and how many of them for one client. */
const RUNNING = { all: 8, client: 2 }

/** A worker's share of what runs at once. If it has more than one place, a client leaves one of them to others. */
export function heavyReadsOfWorker(workers: number): HeavyReadLimits {
  const all = Math.max(1, Math.floor(RUNNING.all / workers))
  return { places: PLACES, running: { all, client: Math.min(RUNNING.client, Math.max(1, all - 1)) } }
}

/**
 * Runs reads that are slow for a node or large for us, and whose subject anyone can choose. Neither one client nor all
 * together get more than their places.
 */
export interface HeavyReads {
  /** Rejects with `TOO_MANY_REQUESTS` or `SERVICE_UNAVAILABLE` if there is no place. */
  run<T>(client: string, read: () => Promise<T>): Promise<T>
}

export function createHeavyReads(
  { places: placesMax, running }: HeavyReadLimits = heavyReadsOfWorker(1),
  shared?: SharedCounts,
): HeavyReads {
  const limitAll = pLimit(running.all)
  /** A /48 counts as one: it has any number of clients. */
  const clients = new Map<string, { limit: ReturnType<typeof pLimit>; reads: number }>()
  const places = createPlaces('heavy', placesMax, shared)
  return {
    async run(client, read) {
      const full = places.take(client)
      if (full) throw new ServiceError(full === 'client' ? 'TOO_MANY_REQUESTS' : 'SERVICE_UNAVAILABLE')
      const key = networkOf(client) ?? client
      const own = clients.get(key) ?? { limit: pLimit(running.client), reads: 0 }
      clients.set(key, own)
      own.reads += 1
      try {
        return await own.limit(() => limitAll(read))
      } finally {
        places.leave(client)
        own.reads -= 1
        if (own.reads === 0) clients.delete(key)
      }
    },
  }
}

/** A token account in which there is something. */
export interface HeldToken {
  address: Address
  mint: Address
  amount: bigint
  /** Whether the token's freeze authority has stopped it. */
  isFrozen: boolean
}

export interface HeldTokens {
  slot: number
  tokens: HeldToken[]
  /** Whether the wallet has more token accounts than were looked at. */
  truncated: boolean
}

/** What wallets hold, read once for all who ask within a few seconds. */
export type ReadHeldTokens = (
  wallet: Address,
  options: { client: string; ageMsMax: number; minSlot?: number | undefined },
) => Promise<HeldTokens>

/** Anyone can give a wallet as many token accounts as they pay rent for. */
const LOOKED_AT_MAX = 1_000
const KEPT_MS = 5_000
/** Of all wallets together; one has about 150 bytes. */
const KEPT_TOKENS_MAX = 100_000

export function createHeldTokens(
  { rpc, heavyReads }: { rpc: Pick<ChainRpc, 'fetchTokenAccounts'>; heavyReads: HeavyReads },
  now?: () => number,
): ReadHeldTokens {
  const keep = createKeptReads<Address, HeldTokens>({
    keptMs: KEPT_MS,
    sizeMax: KEPT_TOKENS_MAX,
    sizeOf: ({ tokens }) => 1 + tokens.length,
    now,
  })
  return (wallet, { client, ageMsMax, minSlot = 0 }) =>
    keep(
      wallet,
      () => heavyReads.run(client, () => readHeldTokens(rpc, wallet)),
      ageMsMax,
      ({ slot }) => slot >= minSlot,
    )
}

async function readHeldTokens(
  rpc: Pick<ChainRpc, 'fetchTokenAccounts'>,
  wallet: Address,
): Promise<HeldTokens> {
  const found = await Promise.all(
    [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(programId =>
      rpc.fetchTokenAccounts(wallet, { programId }, HOLDING_BYTES),
    ),
  )
  const accounts = found
    .flatMap(({ accounts }) => accounts)
    // If there are too many, every node looks at the same ones of those that it was sent.
    .sort((a, b) => (a.address < b.address ? -1 : 1))
  const bytes = addressBytes(wallet)
  const tokens = accounts.slice(0, LOOKED_AT_MAX).flatMap((account): HeldToken[] => {
    const token = decodeHolding(account, bytes)
    return token.exists && token.amount > 0n ? [token] : []
  })
  return {
    slot: Math.min(...found.map(({ slot }) => slot)),
    tokens,
    truncated: accounts.length > LOOKED_AT_MAX || found.some(({ truncated }) => truncated),
  }
}
