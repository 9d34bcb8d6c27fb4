import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** After a slot, and after a read that took unusually long. */
const AGAIN_MS = [1_000, 4_000]

/**
 * Has these read again after a transaction was confirmed, and a little later once more. The service shares what it reads with
 * everyone who asks within a slot, so the first answer may be from before the transaction.
 */
export function refreshConfirmed(queryClient: QueryClient, keys: readonly QueryKey[]): void {
  const refresh = () => {
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
  }
  refresh()
  for (const ms of AGAIN_MS) setTimeout(refresh, ms)
}
