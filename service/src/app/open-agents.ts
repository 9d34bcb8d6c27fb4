import type { Address } from '@slipway/schema/address'
import type { BaseToken } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { type AgentCache, createAgentCache } from '../agents/agent-cache.ts'
import { type DocumentSources, fetchAgentDocuments } from '../agents/agent-documents.ts'
import { type AgentList, createAgentList } from '../agents/agent-list.ts'
import { createOwnDocuments } from '../agents/own-documents.ts'
import { findReadableAgent, readAgent, syncListing } from '../agents/read-agent.ts'
import { createCardSigner } from '../agents/sign-card.ts'
import type { AgentFacts } from '../chain/agent-facts.ts'
import type { Config } from '../config.ts'
import type { RefreshAgent } from '../indexer/follow-network.ts'
import { createSafeFetch, type SafeFetchOptions } from '../metadata/fetch/safe-fetch.ts'
import { createFetchedDocuments, type FetchedDocuments } from '../metadata/fetched-documents.ts'
import { parseHostedUri } from '../metadata/own-documents.ts'
import type { ShutdownList } from '../shutdown.ts'
import { findAgent } from '../store/agents.ts'
import { requestRecheck } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import type { RunHeavy } from '../store/heavy-queries.ts'
import { claimDocument } from '../store/hosted-documents.ts'
import type { Log } from '../telemetry/log.ts'
import { createLogSampler } from '../telemetry/log-sampler.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Chains } from './open-chains.ts'

/** How long the first caller waits for all documents of an agent together. The rest of its time is for chain and store. */
const DOCUMENTS_WAIT_MS = 2_000
const STOP_MS = 200

/** Opens the fetcher of external documents, and the agents that these describe. */
export function openAgents(
  config: Pick<Config, 'metadata' | 'publicUrl' | 'publicUrlsPrevious' | 'cardSigning'>,
  {
    database,
    chains,
    tokensOf,
    chargeChainRead,
    metrics,
    log,
    shutdown,
    fetchLimits,
    runHeavy,
  }: {
    database: Database
    chains: Chains
    tokensOf(network: Network, agent: Address): BaseToken[]
    chargeChainRead(client: string): void
    metrics: Metrics
    log: Log
    shutdown: ShutdownList
    fetchLimits?: SafeFetchOptions['limits']
    runHeavy?: RunHeavy
  },
): {
  documents: FetchedDocuments
  agents: AgentCache
  agentList: AgentList
  /** Reads an agent and its documents again, whether or not anybody asks for it. */
  refreshAgent: RefreshAgent
  /** Records that an agent or a launch names a document of ours, so that it is kept. */
  claimDocument(network: Network, address: Address, uri: string): Promise<unknown>
} {
  const { metadata: gateways, publicUrl } = config
  const own = createOwnDocuments(database, config)
  const fetcher = createSafeFetch({
    allowHosts: gateways.allowHosts,
    gateways: [gateways.ipfsGateway, gateways.arweaveGateway],
    own,
    ...(fetchLimits && { limits: fetchLimits }),
    onFetched: (outcome, seconds) => metrics.documentSeconds.observe({ outcome }, seconds),
  })
  const documents = createFetchedDocuments({
    ...gateways,
    fetch: fetcher.fetch,
    own,
    onFault: error => log.error({ err: error }, 'could not look up one of our own documents'),
  })
  shutdown.add('documents', () => fetcher.close(), STOP_MS)

  const logRefresh = createLogSampler<unknown>((error, leftOut) =>
    log.warn(
      { err: error, ...(leftOut > 0 && { leftOut }) },
      'could not refresh an agent; the last known state is served',
    ),
  )
  const claimNamed = async (network: Network, asset: Address, uri: string) => {
    const sha256 = parseHostedUri(own, uri)
    return sha256 === undefined ? undefined : claimDocument(database, network, { sha256, asset })
  }
  const { key } = config.cardSigning
  const sign = key && createCardSigner(key, config)
  const isOwnToken = (network: Network, agent: Address, mint: Address) =>
    tokensOf(network, agent).some(token => token.address === mint)
  const read = (network: Network, address: Address, waitMsMax: number) =>
    readAgent(
      {
        database,
        readerOf: asked => chains[asked]?.rpc,
        sources: { documents, gateways, waitMsMax },
        onMissing: asked => void requestRecheck(database, asked).catch(() => {}),
        claimDocument: claimNamed,
        isOwnToken,
      },
      network,
      address,
    )
  const agents = createAgentCache({
    find: (network, address) => findReadableAgent(database, network, address),
    read: (network, address) => read(network, address, DOCUMENTS_WAIT_MS),
    isServed: network => chains[network] !== undefined,
    tokensOf,
    chargeChainRead,
    publicUrl,
    sign,
    onRefreshFailed: error => logRefresh('refresh', error),
  })
  const agentList = createAgentList({
    database,
    publicUrl,
    isServed: network => chains[network] !== undefined,
    onPrefixOnly: () => log.warn(NO_TRIGRAMS),
    ...(runHeavy && { runHeavy }),
  })
  return {
    documents,
    agents,
    agentList,
    claimDocument: claimNamed,
    async refreshAgent(network, address, inTurn) {
      const facts = await inTurn(() => findAgentFacts(database, network, address))
      if (facts && !(await prefetch(network, address, facts))) return undefined
      await inTurn(() => read(network, address, 0))
      return inTurn(() => syncListing(database, network, address))
    },
  }

  /** Fetches an agent's documents into the cache. Returns false if its registration got no turn. */
  async function prefetch(network: Network, address: Address, facts: AgentFacts): Promise<boolean> {
    const reader = chains[network]?.rpc
    let hadTurn = true
    const patient: DocumentSources['documents'] = {
      async get(uri, forWhom) {
        const result = await documents.get(uri, { ...forWhom, waitMsMax: undefined, background: true })
        if (!result.ok && result.reason === 'busy' && uri === facts.agentUri) hadTurn = false
        return result
      },
    }
    if (reader)
      await fetchAgentDocuments({ documents: patient, gateways, waitMsMax: 0 }, reader, facts, {
        network,
        known: {},
        isOwnToken: mint => isOwnToken(network, address, mint),
      })
    return hadTurn
  }
}

/** Without the documents, so that little is kept in memory while they are fetched. */
async function findAgentFacts(database: Database, network: Network, address: Address) {
  const { row } = await findAgent(database, network, address)
  if (!row) return undefined
  const { documents: _, ...facts } = row
  return facts
}

const NO_TRIGRAMS =
  'the extension pg_trgm is not installed, so a search for agents or launches finds only names that start with the query; run "CREATE EXTENSION pg_trgm" in the database as its owner or a superuser, and restart Slipway'
