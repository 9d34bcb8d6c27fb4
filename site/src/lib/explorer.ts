import type { Network } from '@slipway/client'
import { NETWORK_TABLE } from '@slipway/launch-model/networks'
import type { SiteSettings } from '../server/protocol.ts'

/** Where a transaction or an account can be looked at. The explorer reads an embedded chain from this machine. */
export function explorerUrl(
  path: `${'tx' | 'address'}/${string}`,
  network: Network,
  { rpc, isEmbedded }: SiteSettings,
): string {
  const url = new URL(`https://explorer.solana.com/${path}`)
  const { cluster } = NETWORK_TABLE[network]
  const local = isEmbedded && rpc[network]?.url
  if (local) {
    url.searchParams.set('cluster', 'custom')
    url.searchParams.set('customUrl', local)
  } else if (cluster !== EXPLORER_DEFAULT) url.searchParams.set('cluster', cluster)
  return url.href
}

const EXPLORER_DEFAULT = 'mainnet'
