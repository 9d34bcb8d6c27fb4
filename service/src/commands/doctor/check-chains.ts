import { BLOCKS_TO_EXPIRY, describeBlocks } from '@slipway/launch-model/expiry'
import { GENESIS_KEY } from '@slipway/launch-model/genesis-account'
import { GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import { createDrift, describeSlotTime, describeVersion } from '../../chain/drift.ts'
import { type Caller, createCaller } from '../../chain/rpc/caller.ts'
import { SILENT } from '../../chain/rpc/create-rpc.ts'
import { RpcError, UNSUPPORTED_VERSION } from '../../chain/rpc/fault.ts'
import { type RpcRequest, toCount, toList, toRecord } from '../../chain/rpc/json-rpc.ts'
import { LAG_MS_MAX, RPC_LIMITS } from '../../chain/rpc/limits.ts'
import {
  ADDRESSES_MAX,
  accountsRequest,
  blockTimeRequest,
  GENESIS_HASH_REQUEST,
  largestAccountsRequest,
  programAccountsRequest,
  signaturesRequest,
  slotRequest,
} from '../../chain/rpc/requests.ts'
import { createRpcEndpoint, labelEndpoints } from '../../chain/rpc/rpc-endpoint.ts'
import { createSlotMark } from '../../chain/rpc/slot-mark.ts'
import { createSlotTime, SLOT_MS_MIN } from '../../chain/rpc/slot-time.ts'
import { transactionRequest } from '../../chain/rpc/transactions.ts'
import { webSocketUrl } from '../../chain/rpc/web-socket-url.ts'
import { FOLLOW_LIMITS } from '../../chain/subscriptions/following.ts'
import { runSession } from '../../chain/subscriptions/session.ts'
import { type Config, embedsChains } from '../../config.ts'
import { fetchLaunchShape } from '../../launches/trading/launch-shape.ts'
import { findEmbeddedRpcUrl, rpcVariable } from '../with-chain.ts'
import { type Check, fail, formatMs, ok, problemOf, warn } from './check.ts'

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

interface EndpointPlace {
  network: Network
  url: string
  /** Its host. */
  label: string
  /** The variable that names it. */
  variable: string
  /** The genesis hash that the store has recorded. */
  expected: string | undefined
}

interface EndpointResult {
  checks: Check[]
  /** Undefined if it can't be used. */
  slot: number | undefined
  /** How long a slot takes, if the endpoint says so. */
  slotMs?: number | undefined
}

const nameOf = ({ network, label }: EndpointPlace) => `rpc ${network} ${label}`

const KNOWN_CLUSTERS = new Map<string, Network>([
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'chain-mainnet'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'chain-devnet'],
])

/** Longer than the service waits, so that a slow answer can be told from none. */
const LIMITS = { ...RPC_LIMITS, attemptMs: 2_500, totalMs: 5_000 }
/** The endpoints are compared with each other afterwards, so no answer is refused for its slot. */
const NO_MARK = { ...createSlotMark(), slot: () => 0, isJump: () => false, raise() {} }

/** Asks one endpoint everything that the service asks of it. */
async function checkEndpoint(place: EndpointPlace): Promise<EndpointResult> {
  const seen: string[] = []
  const drift = createDrift((_, sentence) => seen.push(sentence))
  const caller = createCaller({
    endpoints: [createRpcEndpoint(place.url, place.label)],
    cluster: 'any',
    mark: NO_MARK,
    slotTime: createSlotTime(),
    limits: LIMITS,
    observer: { ...SILENT, onTooNew: drift.noteTransaction },
  })
  const { call } = caller
  const name = nameOf(place)
  const inPlace = (remedy: string) => remedy.replace('VARIABLE', place.variable)
  try {
    const { hash, ms } = await measure(call)
    const foreign = describeForeign(place, hash)
    if (foreign) {
      const remedy =
        'Set VARIABLE to endpoints of that cluster. To move the network on purpose, use "slipway cluster accept".'
      return { checks: [fail(name, 'wrong-cluster', foreign, inPlace(remedy))], slot: undefined }
    }
    const slot = await call(slotRequest())
    const slotMs = await call(SLOT_TIME_REQUEST).catch(() => undefined)
    const expiry = `a transaction expires after ${describeBlocks(BLOCKS_TO_EXPIRY, slotMs)}`
    const facts = `${KNOWN_CLUSTERS.has(hash) ? '' : 'private cluster, '}genesis hash ${hash}, slot ${slot}, ${formatMs(ms)}; ${expiry}`
    const late = `Choose a faster endpoint: the service waits ${RPC_LIMITS.attemptMs / 1_000} s for an answer.`
    const methods = await checkMethods(name, call)
    // Other checks report an endpoint that can't answer.
    await noteNewest(call, drift).catch(() => {})
    const software = await call(VERSION_REQUEST).catch(() => undefined)
    const sentences = [software && describeVersion(...software), describeSlotTime(slotMs), ...seen]
    const lacks = caller.states()[0]?.lacks
    const checks = [
      ms > RPC_LIMITS.attemptMs ? fail(name, 'slow', facts, late) : ok(name, facts),
      ...methods,
      ...(lacks === undefined
        ? []
        : [
            warn(
              `${name} versions`,
              'outdated',
              `does not support ${lacks}, so trades in such transactions can not be read`,
              'Ask the provider to upgrade its nodes, or add an endpoint that supports them to VARIABLE.',
            ),
          ]),
      ...sentences.flatMap(sentence =>
        sentence === undefined
          ? []
          : [warn(`${name} drift`, 'outdated', sentence, 'Look for a newer version of the service.')],
      ),
      await checkHistory(name, call),
    ]
    return {
      checks: checks.map(check => ({ ...check, remedy: check.remedy && inPlace(check.remedy) })),
      slot,
      slotMs,
    }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const remedy = "Check the URL and its key in VARIABLE, and the provider's status."
    return { checks: [fail(name, problemOf(error), error.message, inPlace(remedy))], slot: undefined }
  } finally {
    await caller.close()
  }
}

const MEASUREMENTS = 3

/** Asks again if the answer is slow: the first one includes connecting, and one alone may be slow by chance. */
async function measure(call: Caller['call']): Promise<{ hash: string; ms: number }> {
  for (let left = MEASUREMENTS; ; left -= 1) {
    const startMs = performance.now()
    const hash = await call(GENESIS_HASH_REQUEST)
    const ms = performance.now() - startMs
    if (ms <= RPC_LIMITS.attemptMs || left === 1) return { hash, ms }
  }
}

function describeForeign({ network, expected }: EndpointPlace, hash: string): string | undefined {
  if (expected !== undefined)
    return hash === expected ? undefined : `serves genesis hash ${hash}, but the store belongs to ${expected}`
  const actual = KNOWN_CLUSTERS.get(hash)
  return actual === undefined || actual === network ? undefined : `serves ${actual}`
}

/** How long a slot took in the last minute. Undefined if the endpoint doesn't say. */
const SLOT_TIME_REQUEST: RpcRequest<number | undefined> = {
  method: 'getRecentPerformanceSamples',
  params: () => [1],
  decode(result) {
    const { numSlots, samplePeriodSecs } = toRecord(toList(result, 'samples')[0], 'sample')
    const slotMs = (Number(samplePeriodSecs) * 1_000) / Number(numSlots)
    return slotMs > 0 && slotMs < Number.POSITIVE_INFINITY ? slotMs : undefined
  },
}

const VERSION_REQUEST: RpcRequest<[software: string, featureSet: unknown]> = {
  method: 'getVersion',
  params: () => [],
  decode(result) {
    const version = toRecord(result, 'version')
    return [`${version['solana-core']}`, version['feature-set']]
  },
}

const FIRST_BLOCK_REQUEST: RpcRequest<number> = {
  method: 'getFirstAvailableBlock',
  params: () => [],
  decode: result => toCount(result, 'slot'),
}

const NEWEST_SIGNATURE_REQUEST = signaturesRequest(GENESIS_PROGRAM, { limit: 1 })

interface Method {
  method: string
  /** What doesn't work without it. */
  without: string
  isRequired?: boolean
  ask(call: Caller['call']): Promise<unknown>
}

const METHODS: readonly Method[] = [
  {
    method: 'getProgramAccounts',
    without: 'the chain can not be indexed',
    isRequired: true,
    // No account has this size, so the response is short.
    ask: call => call(programAccountsRequest(GENESIS_PROGRAM, { filters: [{ dataSize: 1 }] })),
  },
  {
    method: 'getSignaturesForAddress',
    without: 'activity is incomplete',
    ask: call => call(NEWEST_SIGNATURE_REQUEST),
  },
  {
    method: 'getTransaction',
    without: 'trades can not be read',
    async ask(call) {
      const [first] = await call(NEWEST_SIGNATURE_REQUEST).catch(() => [])
      await call(transactionRequest(first?.signature ?? '1'.repeat(64))).catch(error => {
        // An endpoint that has no transaction, or one that this version can't read, allows the method.
        const isAnswer =
          !first && error instanceof RpcError && error.kind === 'unable' && error.code === undefined
        if (!isAnswer && !(error instanceof RpcError && error.code === UNSUPPORTED_VERSION)) throw error
      })
    },
  },
  {
    method: 'getTokenLargestAccounts',
    without: 'holders can not be listed',
    // Not a mint: a node that allows the method says so, which costs it nothing.
    ask: call =>
      call(largestAccountsRequest(GENESIS_PROGRAM)).catch(error => {
        if (!(error instanceof RpcError && error.kind === 'invalid')) throw error
      }),
  },
]

async function checkMethods(endpoint: string, call: Caller['call']): Promise<Check[]> {
  const asked = await Promise.allSettled(METHODS.map(({ ask }) => ask(call)))
  const allowed = METHODS.filter((_, at) => asked[at]?.status === 'fulfilled').map(({ method }) => method)
  const name = `${endpoint} methods`
  const remedy = 'Ask the provider to allow it, or add an endpoint that does to VARIABLE.'
  const problems = METHODS.flatMap(({ without, isRequired }, at) => {
    const outcome = asked[at]
    if (outcome?.status !== 'rejected') return []
    const message = `${(outcome.reason as Error).message}, so ${without}`
    return [(isRequired ? fail : warn)(name, problemOf(outcome.reason), message, remedy)]
  })
  return [...(allowed.length > 0 ? [ok(name, `allows ${allowed.join(', ')}`)] : []), ...problems]
}

/** Looks at the newest transaction of the launches' program, at its accounts, and at its launch. */
async function noteNewest(call: Caller['call'], drift: ReturnType<typeof createDrift>): Promise<void> {
  const [first] = await call(NEWEST_SIGNATURE_REQUEST)
  if (first === undefined) return
  const { calls } = await call(transactionRequest(first.signature))
  const named = [...new Set(calls.flatMap(({ accounts }) => accounts))].slice(0, ADDRESSES_MAX)
  const { accounts } = await call(accountsRequest(named))
  drift.noteAccounts({ accounts })
  for (const account of accounts) {
    if (!account.exists || account.owner !== GENESIS_PROGRAM || account.data[0] !== GENESIS_KEY) continue
    const reader = {
      fetchAccounts: (addresses: Parameters<typeof accountsRequest>[0]) => call(accountsRequest(addresses)),
    }
    const shape = await fetchLaunchShape(reader, account.address)
    if (shape && shape.unread > 0) drift.noteUnread(account.address, shape.unread)
  }
}

const DAY_MS = 86_400_000

async function checkHistory(endpoint: string, call: Caller['call']): Promise<Check> {
  const name = `${endpoint} history`
  try {
    const first = await call(FIRST_BLOCK_REQUEST)
    if (first === 0) return ok(name, 'complete, from slot 0')
    const seconds = await call(blockTimeRequest(first)).catch(() => undefined)
    if (seconds === undefined) return ok(name, `from slot ${first}`)
    const since = new Date(seconds * 1_000)
    const message = `from slot ${first}, ${since.toISOString()}`
    if (Date.now() - since.getTime() > DAY_MS) return ok(name, message)
    const remedy =
      'Use an endpoint with more history in VARIABLE. After a longer stop, activity would have gaps.'
    return warn(name, 'behind', message, remedy)
  } catch (error) {
    const message = (error as Error).message
    return warn(name, problemOf(error), message, 'Ask the provider how far back its history goes.')
  }
}
