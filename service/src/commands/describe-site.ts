import { NETWORKS } from '@slipway/schema/network'
import type { SiteSettings } from '@slipway/site/protocol'
import type { Config } from '../config.ts'
import type { LocalChains } from './start-local-chains.ts'

/** What pages may know about this deployment. `RPC_URL_*` is not part of it, except where it is an embedded chain. */
export function describeSite(
  { publicUrl, publicRpcUrls, rpcUrls }: Config,
  chains: LocalChains | undefined,
): { settings: SiteSettings; pictureOrigin: string | undefined } {
  const rpc: SiteSettings['rpc'] = {}
  for (const network of NETWORKS) {
    const url = publicRpcUrls[network]
    const embedded = chains?.networks.find(chain => chain.network === network)
    if (url !== undefined) rpc[network] = { url, wsUrl: url.replace(/^http/, 'ws') }
    // A network with an RPC of its own does not use the embedded chain.
    else if (embedded && rpcUrls[network].every(known => known === embedded.rpcUrl))
      rpc[network] = { url: embedded.rpcUrl, wsUrl: embedded.wsUrl }
  }
  const pictureOrigin = chains && `http://${chains.documentsHost}`
  return {
    settings: {
      publicUrl,
      networks: NETWORKS.filter(network => rpcUrls[network].length > 0),
      rpc,
      isEmbedded: chains !== undefined,
      ...(pictureOrigin && { heroesUrl: `${pictureOrigin}/` }),
    },
    pictureOrigin,
  }
}
