import { GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import { LAG_MS_MAX } from '../../chain/rpc/limits.ts'
import { labelEndpoints } from '../../chain/rpc/rpc-endpoint.ts'
import { SLOT_MS_MIN } from '../../chain/rpc/slot-time.ts'
import { webSocketUrl } from '../../chain/rpc/web-socket-url.ts'
import { FOLLOW_LIMITS } from '../../chain/subscriptions/following.ts'
import { runSession } from '../../chain/subscriptions/session.ts'
import { type Config, embedsChains } from '../../config.ts'
import { findEmbeddedRpcUrl, rpcVariable } from '../with-chain.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { checkEndpoint, type EndpointPlace, type EndpointResult, nameOf } from './check-endpoint.ts'

interface Known {
  genesisHashes: ReadonlyMap<string, string>
  /** Whether a service that would run the embedded chains is running. */
  isServed: boolean
}

/** Checks the endpoints of every network, at the same time. */
export async function checkChains(config: Config, known: Known): Promise<Check[]> {
  const checked = await Promise.all(NETWORKS.map(network => checkNetwork(config, network, known)))
  return checked.flat()
}

async function checkNetwork(config: Config, network: Network, known: Known): Promise<Check[]> {
  const configured = config.rpcUrls[network] ?? []
  const isEmbedded = configured.length === 0 && embedsChains(config)
  if (isEmbedded && !known.isServed)
    return [ok(`rpc ${network}`, 'embedded chain, not running: it starts with the service')]
  const urls = isEmbedded ? [findEmbeddedRpcUrl(config, network)] : configured
  if (urls.length === 0) return [ok(`rpc ${network}`, `not served: ${rpcVariable(network)} is not set`)]
  const labels = labelEndpoints(urls)
  const places = urls.map((url, at) => ({
    network,
    url,
    label: isEmbedded ? 'embedded' : (labels[at] as string),
    variable: rpcVariable(network),
    expected: known.genesisHashes.get(network),
  }))
  const [results, subscription] = await Promise.all([
    Promise.all(places.map(checkEndpoint)),
    checkSubscriptions(config, network, urls[0] as string),
  ])
  const checks = [...results.flatMap(({ checks }) => checks), ...judgeLag(places, results), subscription]
  return isEmbedded ? checks.map(withEmbeddedRemedy) : checks
}

/** An embedded chain has no provider, and no variable names it. */
const withEmbeddedRemedy = (check: Check): Check => ({
  ...check,
  remedy: check.remedy && 'This chain runs in the service: restart that, or give the machine less to do.',
})

/** Compares the endpoints with each other. */
function judgeLag(places: readonly EndpointPlace[], results: readonly EndpointResult[]): Check[] {
  const newest = Math.max(...results.map(({ slot }) => slot ?? 0))
  const slotMs = results.find(result => result.slotMs !== undefined)?.slotMs
  return places.flatMap((place, at) => {
    const slot = results[at]?.slot
    if (slot === undefined || places.length === 1) return []
    const name = `${nameOf(place)} lag`
    const lagMs = (newest - slot) * (slotMs ?? SLOT_MS_MIN)
    const seconds = slotMs === undefined ? '' : ` (${(lagMs / 1_000).toFixed(1)} s)`
    const message = `${newest - slot} slots${seconds} behind the newest endpoint`
    if (lagMs <= LAG_MS_MAX) return [ok(name, message)]
    return [fail(name, 'behind', message, `Remove it from ${place.variable} until it has caught up.`)]
  })
}

const SUBSCRIBE_MS = 6_000

/** Opens the subscription that the indexer needs, and closes it. */
async function checkSubscriptions(config: Config, network: Network, rpcUrl: string): Promise<Check> {
  const url = config.rpcWsUrls[network] ?? webSocketUrl(rpcUrl)
  const name = `subscriptions ${network}`
  const { host } = new URL(url)
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), SUBSCRIBE_MS)
  let isLive = false
  const ended = await runSession({
    url,
    topics: [{ name: 'programSubscribe', program: GENESIS_PROGRAM, filters: [{ dataSize: 1 }] }],
    limits: FOLLOW_LIMITS,
    signal: stop.signal,
    observer: {
      onChange() {},
      onSlot() {},
      onTopicRefused() {},
      onLive() {
        isLive = true
        stop.abort()
      },
    },
  })
  clearTimeout(timer)
  if (isLive) return ok(name, `${host} allows programSubscribe`)
  const remedy = `Set RPC_WS_URL_${NETWORK_TABLE[network].suffix} to a WebSocket URL that allows programSubscribe.`
  const reason = stop.signal.aborted ? 'no answer in time' : ended.message
  const kind = stop.signal.aborted ? 'slow' : ended.isRefused ? 'refused' : 'unreachable'
  return warn(name, kind, `${host}: ${reason}, so the indexer polls and changes show late`, remedy)
}
