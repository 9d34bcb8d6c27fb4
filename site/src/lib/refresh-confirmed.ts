import type { QueryClient, QueryKey } from '@tanstack/react-query'

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
