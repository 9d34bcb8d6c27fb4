import { addressBytes } from '@slipway/launch-model/bytes/base58'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import pLimit from 'p-limit'
import { createKeptReads } from '../lib/kept-reads.ts'
import { decodeHolding, HOLDING_BYTES } from './accounts/token-account.ts'
import type { ChainRpc } from './rpc/create-rpc.ts'

/** How many run at once, and how many may wait. */
export const HEAVY_READS: HeavyReadLimits = { running: 8, places: 64, clientRunning: 2, clientPlaces: 8 }

interface HeavyReadLimits {
  running: number
  /** Running and waiting together. */
  places: number
  clientRunning: number
  clientPlaces: number
}

/**
 * Runs reads that are slow for a node or large for us, and whose subject anyone can choose. Neither one client nor all
 * together get more than their places.
 */
export interface HeavyReads {
  /** Rejects with `TOO_MANY_REQUESTS` or `SERVICE_UNAVAILABLE` if there is no place. */
  run<T>(client: string, read: () => Promise<T>): Promise<T>
}

export function createHeavyReads(limits: HeavyReadLimits = HEAVY_READS): HeavyReads {
  const limitAll = pLimit(limits.running)
  const clients = new Map<string, { limit: ReturnType<typeof pLimit>; places: number }>()
  let places = 0
  return {
    async run(client, read) {
      const own = clients.get(client) ?? { limit: pLimit(limits.clientRunning), places: 0 }
      if (own.places >= limits.clientPlaces) throw new ServiceError('TOO_MANY_REQUESTS')
      if (places >= limits.places) throw new ServiceError('SERVICE_UNAVAILABLE')
      clients.set(client, own)
      own.places += 1
      places += 1
      try {
        return await own.limit(() => limitAll(read))
      } finally {
        places -= 1
        own.places -= 1
        if (own.places === 0) clients.delete(client)
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
