import { BLOCKS_TO_EXPIRY, describeBlocks } from '@slipway/launch-model/expiry'
import { GENESIS_KEY } from '@slipway/launch-model/genesis-account'
import { GENESIS_PROGRAM } from '@slipway/launch-model/programs'
import type { Network } from '@slipway/schema/network'
import type { AccountReader } from '../../chain/account-reader.ts'
import { createDrift, type Drift, describeSlotTime, describeVersion } from '../../chain/drift.ts'
import { AttemptFailed, UNSUPPORTED_VERSION } from '../../chain/rpc/fault.ts'
import {
  type JsonRecord,
  parseResponse,
  toCount,
  toList,
  toRecord,
  toText,
} from '../../chain/rpc/json-rpc.ts'
import { RPC_LIMITS } from '../../chain/rpc/limits.ts'
import { ADDRESSES_MAX, accountsRequest, GENESIS_HASH_REQUEST } from '../../chain/rpc/requests.ts'
import { createRpcEndpoint, type RpcEndpoint } from '../../chain/rpc/rpc-endpoint.ts'
import { transactionRequest } from '../../chain/rpc/transactions.ts'
import { fetchLaunchShape } from '../../launches/trading/launch-shape.ts'
import { type Check, fail, formatMs, ok, problemOf, warn } from './check.ts'

export interface EndpointPlace {
  network: Network
  url: string
  /** Its host. */
  label: string
  /** The variable that names it. */
  variable: string
  /** The genesis hash that the store has recorded. */
  expected: string | undefined
}

export interface EndpointResult {
  checks: Check[]
  /** Undefined if it can't be used. */
  slot: number | undefined
  /** How long a slot takes, if the endpoint says so. */
  slotMs?: number | undefined
}

type Call = (method: string, params?: unknown[], timeoutMs?: number) => Promise<unknown>

/** Longer than the service waits, so that a slow answer can be told from none. */
const CALL_MS = 5_000
const BYTES_MAX = 16 * 1024 * 1024

const KNOWN_CLUSTERS = new Map<string, Network>([
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'chain-mainnet'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'chain-devnet'],
])

/** Asks one endpoint everything that the service asks of it. */
export async function checkEndpoint(place: EndpointPlace): Promise<EndpointResult> {
  const endpoint = createRpcEndpoint(place.url, place.label)
  try {
    return await examine(place, createCall(endpoint))
  } catch (error) {
    if (!(error instanceof AttemptFailed)) throw error
    const message = `${explainFault(error)} (${endpoint.redact(error.message)})`
    const remedy = `Check the URL and its key in ${place.variable}, and the provider's status.`
    return { checks: [fail(nameOf(place), problemOf(error), message, remedy)], slot: undefined }
  } finally {
    await endpoint.close()
  }
}

export const nameOf = ({ network, label }: EndpointPlace) => `rpc ${network} ${label}`

function createCall(endpoint: RpcEndpoint): Call {
  let last = 0
  return async (method, params = [], timeoutMs = CALL_MS) => {
    last += 1
    const id = last
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const response = await endpoint.post(body, { timeoutMs, bytesMax: BYTES_MAX })
    return parseResponse(response, id, { minContextSlot: 0, decode: result => result })
  }
}

async function examine(place: EndpointPlace, call: Call): Promise<EndpointResult> {
  const name = nameOf(place)
  const { hash, ms } = await measure(call)
  const foreign = describeForeign(place, hash)
  if (foreign)
    return {
      checks: [
        fail(
          name,
          'wrong-cluster',
          foreign,
          `Set ${place.variable} to endpoints of that cluster. To move the network on purpose, use "slipway cluster accept".`,
        ),
      ],
      slot: undefined,
    }
  const slot = toCount(await call('getSlot', [{ commitment: 'confirmed' }]), 'slot')
  const slotMs = await readSlotTime(call)
  const expiry = `a transaction expires after ${describeBlocks(BLOCKS_TO_EXPIRY, slotMs)}`
  const facts = `${KNOWN_CLUSTERS.has(hash) ? '' : 'private cluster, '}genesis hash ${hash}, slot ${slot}, ${formatMs(ms)}; ${expiry}`
  const late = `Choose a faster endpoint: the service waits ${RPC_LIMITS.attemptMs / 1_000} s for an answer.`
  return {
    checks: [
      ms > RPC_LIMITS.attemptMs ? fail(name, 'slow', facts, late) : ok(name, facts),
      ...(await checkMethods(place, call)),
      ...(await checkVersions(place, call)),
      ...(await checkDrift(place, call, slotMs)),
      await checkHistory(place, call),
    ],
    slot,
    slotMs,
  }
}

const MEASUREMENTS = 3

/** How long a slot took in the last minute. Undefined if the endpoint doesn't say. */
async function readSlotTime(call: Call): Promise<number | undefined> {
  const samples = await call('getRecentPerformanceSamples', [1]).catch(() => undefined)
  const [sample] = Array.isArray(samples) ? samples : []
  const { numSlots, samplePeriodSecs } = { ...(sample as object) } as JsonRecord
  const slotMs = (Number(samplePeriodSecs) * 1_000) / Number(numSlots)
  return slotMs > 0 && slotMs < Number.POSITIVE_INFINITY ? slotMs : undefined
}

/** Asks again if the answer is slow: the first one includes connecting, and one alone may be slow by chance. */
async function measure(call: Call): Promise<{ hash: string; ms: number }> {
  for (let left = MEASUREMENTS; ; left -= 1) {
    const startMs = performance.now()
    const hash = GENESIS_HASH_REQUEST.decode(await call('getGenesisHash'))
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

const listSignatures = async (call: Call): Promise<unknown[]> =>
  toList(await call('getSignaturesForAddress', [GENESIS_PROGRAM, { limit: 1 }]), 'signatures')

interface Method {
  method: string
  /** What doesn't work without it. */
  without: string
  isRequired?: boolean
  ask(call: Call): Promise<unknown>
}

const METHODS: readonly Method[] = [
  {
    method: 'getProgramAccounts',
    without: 'the chain can not be indexed',
    isRequired: true,
    // No account has this size, so the response is short.
    ask: call =>
      call('getProgramAccounts', [
        GENESIS_PROGRAM,
        { encoding: 'base64', filters: [{ dataSize: 1 }], dataSlice: { offset: 0, length: 0 } },
      ]),
  },
  {
    method: 'getSignaturesForAddress',
    without: 'activity is incomplete',
    ask: listSignatures,
  },
  {
    method: 'getTransaction',
    without: 'trades can not be read',
    async ask(call) {
      const [first] = await listSignatures(call).catch(() => [])
      const signature =
        first === undefined ? '1'.repeat(64) : toText(toRecord(first, 'entry').signature, 'signature')
      const request = transactionRequest(signature)
      const found = await call(request.method, request.params(0)).catch(error => {
        // It allows the method. That this version can't read the answer is drift.
        if (isTooNew(error)) return undefined
        if (!request.older || !isInvalid(error)) throw error
        return call(request.method, request.older.request.params(0))
      })
      if (first !== undefined && found === null)
        throw new AttemptFailed({ kind: 'unable' }, 'it lists a transaction that it does not have')
    },
  },
  {
    method: 'getTokenLargestAccounts',
    without: 'holders can not be listed',
    // Not a mint: a node that allows the method says so, which costs it nothing.
    ask: call =>
      call('getTokenLargestAccounts', [GENESIS_PROGRAM]).catch(error => {
        if (!isInvalid(error)) throw error
      }),
  },
]

const isTooNew = (error: unknown): boolean =>
  error instanceof AttemptFailed && error.code === UNSUPPORTED_VERSION

const isInvalid = (error: unknown): boolean =>
  error instanceof AttemptFailed && error.fault.kind === 'invalid'

/** Whether the endpoint accepts the newest version of transactions that the service reads. */
async function checkVersions(place: EndpointPlace, call: Call): Promise<Check[]> {
  const request = transactionRequest('1'.repeat(64))
  const { method, older } = request
  const isRefused = (params: unknown[]) => call(method, params).then(() => false, isInvalid)
  if (!older || !(await isRefused(request.params(0))) || (await isRefused(older.request.params(0)))) return []
  const message = `does not support ${older.lacks}, so trades in such transactions can not be read`
  const remedy = `Ask the provider to upgrade its nodes, or add an endpoint that supports them to ${place.variable}.`
  return [warn(`${nameOf(place)} versions`, 'outdated', message, remedy)]
}

/** What the cluster does that this version was never run with. An endpoint that doesn't say is not at fault. */
async function checkDrift(place: EndpointPlace, call: Call, slotMs: number | undefined): Promise<Check[]> {
  const version = await call('getVersion').catch(() => undefined)
  const { 'solana-core': software, 'feature-set': featureSet } = { ...(version as object) } as JsonRecord
  const sentences = [describeVersion(`${software}`, featureSet), describeSlotTime(slotMs)]
  const drift = createDrift((_, sentence) => sentences.push(sentence))
  // Other checks report an endpoint that can't answer.
  await noteNewest(call, drift).catch(() => {})
  return sentences.flatMap(sentence =>
    sentence === undefined
      ? []
      : [warn(`${nameOf(place)} drift`, 'outdated', sentence, 'Look for a newer version of the service.')],
  )
}

/** Looks at the newest transaction of the launches' program, at its accounts, and at its launch. */
async function noteNewest(call: Call, drift: Drift): Promise<void> {
  const [first] = await listSignatures(call)
  if (first === undefined) return
  const request = transactionRequest(toText(toRecord(first, 'entry').signature, 'signature'))
  const found = await call(request.method, request.params(0)).catch(error => {
    if (isTooNew(error)) drift.noteTransaction()
    throw error
  })
  const reader: AccountReader = {
    async fetchAccounts(addresses) {
      const { method, params, decode } = accountsRequest(addresses)
      return decode(await call(method, params(0)))
    },
  }
  const named = new Set(request.decode(found).calls.flatMap(({ accounts }) => accounts))
  const { accounts } = await reader.fetchAccounts([...named].slice(0, ADDRESSES_MAX))
  drift.noteAccounts({ accounts })
  for (const account of accounts) {
    if (!account.exists || account.owner !== GENESIS_PROGRAM || account.data[0] !== GENESIS_KEY) continue
    const shape = await fetchLaunchShape(reader, account.address)
    if (shape && shape.unread > 0) drift.noteUnread(account.address, shape.unread)
  }
}

async function checkMethods(place: EndpointPlace, call: Call): Promise<Check[]> {
  const failures = await Promise.all(
    METHODS.map(({ ask }) =>
      ask(call).then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  )
  const allowed = METHODS.filter((_, at) => failures[at] === undefined).map(({ method }) => method)
  const problems = METHODS.flatMap(({ method, without, isRequired }, at) => {
    const error = failures[at]
    if (error === undefined) return []
    const message = `${method}: ${explainFault(error)}, so ${without}`
    const remedy = `Ask the provider to allow it, or add an endpoint that does to ${place.variable}.`
    return [(isRequired ? fail : warn)(`${nameOf(place)} methods`, problemOf(error), message, remedy)]
  })
  return allowed.length > 0
    ? [ok(`${nameOf(place)} methods`, `allows ${allowed.join(', ')}`), ...problems]
    : problems
}

const DAY_MS = 86_400_000

async function checkHistory(place: EndpointPlace, call: Call): Promise<Check> {
  const name = `${nameOf(place)} history`
  try {
    const first = toCount(await call('getFirstAvailableBlock'), 'slot')
    if (first === 0) return ok(name, 'complete, from slot 0')
    const seconds = await call('getBlockTime', [first]).catch(() => null)
    if (seconds === null) return ok(name, `from slot ${first}`)
    const since = new Date(toCount(seconds, 'block time') * 1_000)
    const message = `from slot ${first}, ${since.toISOString()}`
    if (Date.now() - since.getTime() > DAY_MS) return ok(name, message)
    const remedy = `Use an endpoint with more history in ${place.variable}. After a longer stop, activity would have gaps.`
    return warn(name, 'behind', message, remedy)
  } catch (error) {
    return warn(
      name,
      problemOf(error),
      explainFault(error),
      'Ask the provider how far back its history goes.',
    )
  }
}

function explainFault(error: unknown): string {
  const kind = error instanceof AttemptFailed ? error.fault.kind : 'malformed'
  return FAULT_TEXTS[kind] ?? kind
}

const FAULT_TEXTS: Record<string, string> = {
  timeout: 'no answer in time',
  unreachable: 'no connection',
  reset: 'the connection broke',
  failed: 'the server fails',
  refused: 'refused',
  limited: 'too many requests',
  unable: 'not supported',
  malformed: 'the response is malformed',
  garbled: 'the response is malformed',
  unhealthy: 'the node is behind',
  passing: 'the node could not answer',
}
