import type { Address } from '@slipway/schema/address'
import { DEFAULT_NETWORK, type Network } from '@slipway/schema/network'

/**
 * The URL of a launch's page: fills `{genesisAddress}` and `{network}` into the deployment's pattern. If the pattern has
 * no `{network}`, any network except the default is added as a query parameter.
 */
export function launchPageUrl(pattern: string, network: Network, address: Address): string {
  const page = pattern.replaceAll('{genesisAddress}', address)
  if (page.includes('{network}')) return page.replaceAll('{network}', network)
  if (network === DEFAULT_NETWORK) return page
  const [place = '', ...fragment] = page.split('#')
  const withNetwork = `${place}${place.includes('?') ? '&' : '?'}network=${network}`
  return [withNetwork, ...fragment].join('#')
}
