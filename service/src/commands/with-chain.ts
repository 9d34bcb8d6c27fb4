import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_SERVER_OFFSET, RPC_OFFSETS } from '@slipway/local-chain/ports'
import type { Network } from '@slipway/schema/network'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import { z } from 'zod'
import { createOwnDocuments } from '../agents/own-documents.ts'
import { createClusterIdentity, describeForeign } from '../chain/rpc/cluster.ts'
import { type ChainRpc, createRpc } from '../chain/rpc/create-rpc.ts'
import { RpcError } from '../chain/rpc/fault.ts'
import { type Config, embedsChains } from '../config.ts'
import { createSafeFetch } from '../metadata/fetch/safe-fetch.ts'
import { createFetchedDocuments, type FetchedDocuments } from '../metadata/fetched-documents.ts'
import { OperatorError } from '../operator-error.ts'
import { clusterRecords } from '../store/clusters.ts'
import type { Database } from '../store/database.ts'
import type { CommandContext } from './command-context.ts'

/** Runs a command on its network's chain: the configured RPC, or the embedded chain of a running service. */
export async function withChain<T>(
  { config, network, output }: CommandContext,
  database: Database,
  work: (rpc: ChainRpc) => Promise<T>,
): Promise<T> {
  const isEmbedded = (config.rpcUrls[network] ?? []).length === 0 && embedsChains(config)
  const urls = isEmbedded ? [findEmbeddedRpcUrl(config, network)] : (config.rpcUrls[network] ?? [])
  if (urls.length === 0)
    throw new OperatorError(`No RPC is configured for ${network}. Set ${rpcVariable(network)}.`)
  output.facts({ rpc: describeChain(urls, isEmbedded ? 'embedded' : rpcVariable(network)) })
  const rpc = createNetworkRpc(urls, database, network)
  try {
    await rpc.health().catch(() => {
      throw new OperatorError(
        isEmbedded
          ? `The embedded ${network} at ${listHosts(urls)} doesn't answer. Start the service (npm start) and try again.`
          : `No RPC endpoint of ${network} can be used (${listHosts(urls)}): ${explain(rpc)}. Check ${rpcVariable(network)}.`,
      )
    })
    return await work(rpc).catch(error => {
      if (!(error instanceof RpcError)) throw error
      throw new OperatorError(`${network} could not be read through ${listHosts(urls)}: ${error.message}.`, {
        cause: error,
      })
    })
  } finally {
    await rpc.close()
  }
}

/** The variable that lists a network's RPC endpoints. */
export const rpcVariable = (network: Network): string => `RPC_URL_${NETWORK_TABLE[network].suffix}`

export const describeChain = (urls: readonly string[], source: string) => `${listHosts(urls)} (${source})`

/** The hosts only: URLs may contain keys. */
const listHosts = (urls: readonly string[]) => urls.map(url => new URL(url).host).join(', ')

/** An RPC that refuses endpoints whose cluster is not the store's. */
export const createNetworkRpc = (urls: string[], database: Database, network: Network): ChainRpc =>
  createRpc({
    urls,
    cluster: createClusterIdentity(clusterRecords(database, network)),
  })

function explain(rpc: ChainRpc): string {
  const foreign = rpc.states().find(state => state.foreign)?.foreign
  return foreign ? `one ${describeForeign(foreign)}` : 'none answers'
}

/**
 * Runs a command that fetches documents that the chain names, with the same safeguards as the service. Documents that the
 * service hosts are read from its store.
 */
export async function withDocuments<T>(
  config: Config,
  database: Database,
  work: (documents: FetchedDocuments) => Promise<T>,
): Promise<T> {
  const { metadata } = config
  const own = createOwnDocuments(database, config)
  // The demo's documents are served on loopback, which is otherwise off limits.
  const allowHosts = embedsChains(config)
    ? [...metadata.allowHosts, findDocumentsHost(config)]
    : metadata.allowHosts
  const fetcher = createSafeFetch({ allowHosts, own })
  try {
    return await work(createFetchedDocuments({ ...metadata, fetch: fetcher.fetch, own }))
  } finally {
    await fetcher.close()
  }
}

type Location = Pick<Config, 'dataDir' | 'localChain'>

/**
 * The RPC of a running service's embedded chain. The service writes it to `demo.json`, because its `LOCAL_CHAIN_PORT` may
 * differ from that of a command.
 */
export const findEmbeddedRpcUrl = ({ dataDir, localChain }: Location, network: Network): string =>
  readDemoFile(dataDir)?.networks[network]?.rpcUrl ??
  `http://127.0.0.1:${localChain.port + RPC_OFFSETS[network]}`

/** `host:port` of the demo's documents, found in the same way. */
function findDocumentsHost({ dataDir, localChain }: Location): string {
  const demo = readDemoFile(dataDir)
  return demo ? new URL(demo.social.url).host : `127.0.0.1:${localChain.port + DEMO_SERVER_OFFSET}`
}

const demoFile = z.object({
  networks: z.record(z.string(), z.object({ rpcUrl: z.url() })),
  social: z.object({ url: z.url() }),
})

function readDemoFile(dataDir: string): z.infer<typeof demoFile> | undefined {
  try {
    return demoFile.parse(JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')))
  } catch {
    return undefined
  }
}
