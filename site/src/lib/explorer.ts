import type { Network } from '@slipway/client'
import { NETWORK_TABLE } from '@slipway/launch-model/networks'
import type { SiteSettings } from '../server/protocol.ts'

/** Where a transaction can be looked at. */
export const explorerUrl = (signature: string, network: Network, settings: SiteSettings): string =>
  buildUrl(`tx/${signature}`, network, settings)

/** Where a wallet or another account can be looked at. */
export const explorerAddressUrl = (address: string, network: Network, settings: SiteSettings): string =>
  buildUrl(`address/${address}`, network, settings)

/** The explorer reads an embedded chain from this machine. */
function buildUrl(path: string, network: Network, { rpc, isEmbedded }: SiteSettings): string {
  const url = new URL(path, 'https://explorer.solana.com')
  const { cluster } = NETWORK_TABLE[network]
  const local = isEmbedded && rpc[network]?.url
  if (local) {
    url.searchParams.set('cluster', 'custom')
    url.searchParams.set('customUrl', local)
  } else if (cluster !== EXPLORER_DEFAULT) url.searchParams.set('cluster', cluster)
  return url.href
}

const EXPLORER_DEFAULT = 'mainnet'
