import type { Address } from '@slipway/schema/address'
import { DEFAULT_NETWORK, type Network } from '@slipway/schema/network'

/**
 * The page of a launch, by the deployment's pattern: `{genesisAddress}` and, if it is there, `{network}` are filled in.
 * A pattern that does not say where the network goes gets it as a parameter, where it is not the usual one.
 */
export function launchPageUrl(pattern: string, network: Network, address: Address): string {
  const page = pattern.replaceAll('{genesisAddress}', address)
  if (page.includes('{network}')) return page.replaceAll('{network}', network)
  if (network === DEFAULT_NETWORK) return page
  const [place = '', ...fragment] = page.split('#')
  const withNetwork = `${place}${place.includes('?') ? '&' : '?'}network=${network}`
  return [withNetwork, ...fragment].join('#')
}
