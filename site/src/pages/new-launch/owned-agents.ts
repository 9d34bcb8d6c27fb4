import type { Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ListedAgents, toListedAgents } from '../../lib/agents.ts'
import { fitAgentPage } from '../../lib/fit-answers.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'

export const OWNED_STEP = 8
/** The largest page of the API. More agents than this are found with the search. */
export const OWNED_MAX = 100
const PAUSE_MS = 250
const POLL_MS = 30_000

/** The agents that a wallet owns, the newest first, or those of them that match a text. */
export function useOwnedAgents(
  network: Network,
  owner: string | undefined,
  { text, count }: { text: string; count: number },
) {
  const { slipway } = useSite()
  const searched = usePaused(text.trim())
  const pageSize = Math.min(count, OWNED_MAX)
  return useQuery({
    // Events about agents make this out of date.
    queryKey: queryKeys.ownedAgents(network, owner, searched, pageSize),
    queryFn: async ({ signal }): Promise<ListedAgents> => {
      const request = { network, owner: owner as string, pageSize, ...(searched && { query: searched }) }
      return toListedAgents(fitAgentPage(await slipway.agents.list(request, { signal })))
    },
    enabled: owner !== undefined,
    // Those of another wallet must not be offered.
    placeholderData: (known, query) =>
      query && query.queryKey[1] === network && query.queryKey[3] === owner ? known : undefined,
    refetchInterval: POLL_MS,
  })
}

/** The text as it was when no key had been pressed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
