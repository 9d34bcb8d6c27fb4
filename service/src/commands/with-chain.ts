import type { Network } from '@slipway/schema/network'
import { createClusterIdentity } from '../chain/rpc/cluster.ts'
import { type ChainRpc, createRpc } from '../chain/rpc/create-rpc.ts'
import { type Config, embedsChains } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { clusterRecords } from '../store/clusters.ts'
import type { Database } from '../store/database.ts'

const DOCUMENTS_OFFSET = 10
/** From LOCAL_CHAIN_PORT. */
const LOCAL_OFFSETS: Record<Network, number> = { 'chain-mainnet': 0, 'chain-devnet': 100 }

/** Where documents may be fetched from although it is private: the demo's own are on this machine. */
export function allowedHosts(config: Config): string[] {
  const { allowHosts } = config.metadata
  return embedsChains(config)
    ? [...allowHosts, `127.0.0.1:${config.localChain.port + DOCUMENTS_OFFSET}`]
    : allowHosts
}

/** Runs a command on a network's chain: the configured RPC, or the embedded chain of a service that is running. */
export async function withChain<T>(
  config: Config,
  database: Database,
  network: Network,
  work: (rpc: ChainRpc) => Promise<T>,
): Promise<T> {
  const isEmbedded = config.rpcUrls[network].length === 0 && embedsChains(config)
  const urls = isEmbedded
    ? [`http://127.0.0.1:${config.localChain.port + LOCAL_OFFSETS[network]}`]
    : config.rpcUrls[network]
  if (urls.length === 0) throw new OperatorError(`no RPC is configured for ${network}`)
  const rpc = createRpc({
    urls,
    cluster: createClusterIdentity(clusterRecords(database, network)),
  })
  try {
    await rpc.health().catch(() => {
      throw new OperatorError(
        isEmbedded
          ? `the embedded ${network} does not answer: start the service (npm start) and try again`
          : `no RPC endpoint of ${network} can be used: ${reason(rpc)}`,
      )
    })
    return await work(rpc)
  } finally {
    await rpc.close()
  }
}

function reason(rpc: ChainRpc): string {
  const foreign = rpc.states().find(state => state.foreign)?.foreign
  return foreign ? `another cluster answers (genesis hash ${foreign.genesisHash})` : 'none answers'
}
