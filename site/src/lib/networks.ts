import { type Network, SlipwayError } from '@slipway/client'
import { DEFAULT_NETWORK } from '@slipway/launch-model/networks'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { queryKeys } from './query-keys.ts'
import { useSite } from './site-context.ts'

/** The network that an address names, or the default one. */
export function parseNetwork(search: URLSearchParams, networks: readonly string[]): Network {
  const wanted = search.get('network') ?? ''
  return (networks.includes(wanted) ? wanted : (networks[0] ?? DEFAULT_NETWORK)) as Network
}

/** The address of something on a network. The default one is left out. */
export const withNetwork = (path: string, network: string, networks: readonly string[]): string =>
  network === networks[0] ? path : `${path}?network=${network}`

/**
 * Loads something from the network that was asked for, or else from the first that has it: addresses are unique across
 * networks. `found` goes to the browser, for `useNetworkOf`.
 */
export async function loadFromNetwork<Data>(
  load: (network: Network) => Promise<Data>,
  address: string,
  search: URLSearchParams,
  networks: readonly string[],
): Promise<{ network: Network; data: Data; found: [QueryKey, unknown] }> {
  const wanted = search.get('network') ?? ''
  let missing: unknown
  for (const network of (networks.includes(wanted) ? [wanted] : networks) as Network[]) {
    try {
      return { network, data: await load(network), found: [queryKeys.networkOf(address), network] }
    } catch (error) {
      if (!(error instanceof SlipwayError) || error.status !== 404) throw error
      missing = error
    }
  }
  throw missing ?? new SlipwayError('Not found', { status: 404, code: 'NOT_FOUND' })
}

/** The network of the page about this address. */
export function useNetworkOf(address: string): Network {
  const { networks } = useSite().settings
  const wanted = new URLSearchParams(useSearch()).get('network') ?? ''
  const { data: found } = useQuery<Network>({ queryKey: queryKeys.networkOf(address), enabled: false })
  return (networks.includes(wanted) ? wanted : (found ?? networks[0])) as Network
}
