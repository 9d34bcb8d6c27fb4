import { NETWORKS } from '@slipway/schema/network'
import type { SiteSettings } from '@slipway/site/protocol'
import type { Config } from '../config.ts'
import type { DemoKeys } from '../http/site/mount-demo-keys.ts'
import { isLoopback } from '../lib/is-loopback.ts'
import type { LocalChains } from './start-local-chains.ts'

export type EmbeddedChains = Pick<LocalChains, 'networks' | 'documentsHost'>

/** What pages may know about this deployment. `RPC_URL_*` is not part of it, except where it is an embedded chain. */
export function describeSite(
  config: Config,
  chains: EmbeddedChains | undefined,
): { settings: SiteSettings; pictureOrigin: string | undefined; demoKeys: DemoKeys | undefined } {
  const { publicUrl, publicRpcUrls, rpcUrls } = config
  const rpc: SiteSettings['rpc'] = {}
  for (const network of NETWORKS) {
    const url = publicRpcUrls[network]
    const embedded = chains?.networks.find(chain => chain.network === network)
    if (url !== undefined) rpc[network] = { url, wsUrl: url.replace(/^http/, 'ws') }
    // A network with an RPC of its own does not use the embedded chain.
    else if (embedded && (rpcUrls[network] ?? []).every(known => known === embedded.rpcUrl))
      rpc[network] = { url: embedded.rpcUrl, wsUrl: embedded.wsUrl }
  }
  const demoKeys = findDemoKeys(config, chains)
  const pictureOrigin = chains && `http://${chains.documentsHost}`
  return {
    settings: {
      publicUrl,
      networks: NETWORKS.filter(network => (rpcUrls[network] ?? []).length > 0),
      rpc,
      isEmbedded: chains !== undefined,
      isDemo: isAllEmbedded(config, chains),
      hasDemoWallet: demoKeys !== undefined,
      ...(pictureOrigin && { heroesUrl: `${pictureOrigin}/` }),
    },
    pictureOrigin,
    demoKeys,
  }
}

/**
 * Keys are served only where they are worthless: the service and its pages use embedded chains for every network that is
 * served, and only this machine can reach the service. There is no proxy in front of it that others can reach.
 */
function findDemoKeys(config: Config, chains: EmbeddedChains | undefined): DemoKeys | undefined {
  const { host, publicUrl, trustedProxies } = config
  const isPublished = !isLoopback(new URL(publicUrl).hostname) || trustedProxies.length > 0
  if (!chains || !isAllEmbedded(config, chains) || isPublished || !isLoopback(host)) return undefined
  return {
    accounts: chains.networks.flatMap(({ network, keys }) =>
      keys.map(({ address, secretKey, label }) => ({
        network,
        address,
        secretKey: Buffer.from(secretKey).toString('base64'),
        label,
      })),
    ),
  }
}

/** Whether the service and its pages use embedded chains for every network that is served. */
function isAllEmbedded({ rpcUrls, publicRpcUrls }: Config, chains: EmbeddedChains | undefined): boolean {
  if (!chains) return false
  return NETWORKS.every(network => {
    const embedded = chains.networks.find(chain => chain.network === network)
    const used = [...(rpcUrls[network] ?? []), publicRpcUrls[network] ?? embedded?.rpcUrl]
    return used.every(url => url === embedded?.rpcUrl)
  })
}
