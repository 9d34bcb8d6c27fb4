import { type Network, SlipwayError } from '@slipway/client'
import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** By then, any answer is from after the transaction. */
const USEFUL_MS = 30_000

/** The newest slot in which a transaction of this page was confirmed, by network and wallet. */
const confirmed = new Map<string, { slot: number; endsMs: number }>()
const keyOf = (network: Network, wallet: string) => `${network}:${wallet}`

/** Notes the slot in which a transaction was confirmed that changes what these wallets have. */
export function noteConfirmed(network: Network, wallets: readonly string[], slot: number): void {
  for (const wallet of wallets) {
    const key = keyOf(network, wallet)
    const known = confirmed.get(key)?.slot ?? 0
    confirmed.set(key, { slot: Math.max(slot, known), endsMs: Date.now() + USEFUL_MS })
  }
}

/** Reads what a wallet has, with its last transaction. */
export async function readConfirmed<Answer>(
  network: Network,
  wallet: string | undefined,
  read: (minSlot?: number) => Promise<Answer>,
): Promise<Answer> {
  const known = wallet === undefined ? undefined : confirmed.get(keyOf(network, wallet))
  if (!known || Date.now() > known.endsMs) return read()
  try {
    return await read(known.slot)
  } catch (error) {
    // The service can't be near that slot if the browser asks another RPC, far ahead.
    if (error instanceof SlipwayError && error.status === 400) return read()
    throw error
  }
}

/** After a shared read is too old, and twice more, for what the service reads a little later, such as trades in a pool. */
const AGAIN_MS = [1_500, 4_000, 10_000]

/**
 * Reads these again after a transaction was confirmed, and again a little later. What a
 * wallet has is up to date at once (see `confirmed-slots.ts`); other answers may be shared, from before the transaction.
 */
export function refreshConfirmed(queryClient: QueryClient, keys: readonly QueryKey[]): void {
  const refresh = () => {
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
  }
  refresh()
  for (const ms of AGAIN_MS) setTimeout(refresh, ms)
}
