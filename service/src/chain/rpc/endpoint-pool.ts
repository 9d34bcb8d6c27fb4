import type { Address } from '@slipway/schema/address'
import {
  type ClusterCheck,
  type ClusterIdentity,
  createClusterCheck,
  describeForeign,
  type ForeignCluster,
  UNCHECKED,
} from './cluster.ts'
import { decide, type Health, type HealthChange } from './decide.ts'
import { AttemptFailed, type FaultKind, UNSUPPORTED_VERSION } from './fault.ts'
import { parseResponse, type RpcRequest } from './json-rpc.ts'
import { PATIENCE, type RpcLimits } from './limits.ts'
import {
  type Accounts,
  accountsRequest,
  GENESIS_HASH_REQUEST,
  NEWEST_BLOCK_REQUEST,
  slotRequest,
} from './requests.ts'
import type { PostLimits, RpcEndpoint } from './rpc-endpoint.ts'
import type { Block, Sighting, SlotMark } from './slot-mark.ts'
import type { SlotTime } from './slot-time.ts'

/** Plain callbacks that the app turns into metrics and log lines. Endpoints are named by their labels. */
export interface RpcObserver {
  /** An attempt ended. */
  onAttempt(attempt: { endpoint: string; method: string; outcome: Outcome; seconds: number }): void
  /** A call is retried. */
  onRetry(retry: { method: string; reason: FaultKind }): void
  /** An endpoint starts to rest, or has recovered. */
  onEndpoint(state: { endpoint: string; isUp: boolean; reason: string; restMs: number }): void
  /** An endpoint turned out to belong to another cluster, or to ours again. */
  onCluster(state: { endpoint: string; foreign: ForeignCluster | undefined }): void
  /** An endpoint turned out not to support something that we ask for, or to support it now. */
  onLacking(state: { endpoint: string; lacks: string | undefined }): void
  /** A transaction is newer than every version that is read. */
  onTooNew(): void
  onSlot(endpoint: string, slot: number): void
  /** A call failed because every endpoint is behind this slot, the newest one seen. */
  onAllBehind(slot: number): void
  /** This many reads of accounts were sent in this many calls. */
  onReads(reads: number, calls: number): void
  /** These accounts were read. */
  onAccounts(found: Accounts): void
}

type Outcome = 'ok' | FaultKind

/** An endpoint, with what is known about its health and its cluster. */
export interface Known extends Health {
  endpoint: RpcEndpoint
  cluster: ClusterCheck
  slot: number | undefined
  /** What it does not support. Until that time, it is sent the older form of such requests. */
  lacks: string | undefined
  olderUntilMs: number
  /** While its newest block is compared with the newest slot seen. */
  isCompared: boolean
  /** The block of an earlier such comparison. */
  sighting: Sighting | undefined
  /** Set while the endpoint rests. */
  probe: NodeJS.Timeout | undefined
}

/** The endpoints of a network: makes single attempts and keeps track of their health. */
interface EndpointPool {
  /** In order of preference. */
  all: readonly Known[]
  /** Rejects with `AttemptFailed`. */
  attempt<T>(known: Known, request: RpcRequest<T>, limits: PostLimits): Promise<T>
  /** Records what decide.ts concluded from a fault. */
  recordFailure(known: Known, health: HealthChange, error: AttemptFailed, nowMs: number): void
  /** Records a fault that occurred outside a call. */
  fault(known: Known, error: AttemptFailed, startedMs?: number): void
  /** Every endpoint lags, this one too: either it does, or the newest slot seen is wrong. */
  compareWithMark(known: Known): Promise<void>
  close(): void
}

export interface EndpointPoolParts {
  endpoints: readonly RpcEndpoint[]
  cluster: ClusterIdentity | 'any'
  mark: SlotMark
  slotTime: SlotTime
  limits: RpcLimits
  observer: RpcObserver
}

export function createEndpointPool({
  endpoints,
  cluster,
  mark,
  slotTime,
  limits: usual,
  observer,
}: EndpointPoolParts): EndpointPool {
  const all: Known[] = endpoints.map(endpoint => ({
    endpoint,
    cluster: UNCHECKED,
    slot: undefined,
    answeredAtMs: Number.NEGATIVE_INFINITY,
    lacks: undefined,
    olderUntilMs: Number.NEGATIVE_INFINITY,
    isCompared: false,
    sighting: undefined,
    probe: undefined,
    faultsInRow: 0,
    faultAtMs: 0,
    restsUntilMs: 0,
    inFlight: 0,
  }))
  if (cluster !== 'any') for (const known of all) known.cluster = createCheck(known, cluster)
  const checkLimits = { timeoutMs: usual.attemptMs, bytesMax: usual.bytesMax }
  // The check goes on for as long as a patient call may wait. Others stop waiting at their own limit.
  const hashLimits = { ...checkLimits, timeoutMs: usual.attemptMs * PATIENCE }
  let calls = 0
  let isClosed = false

  function createCheck(known: Known, identity: ClusterIdentity): ClusterCheck {
    return createClusterCheck({
      identity,
      mark,
      fetchHash: () => onceMoreAfterReset(() => send(known, GENESIS_HASH_REQUEST, hashLimits)),
      onForeign(foreign) {
        observer.onCluster({ endpoint: known.endpoint.label, foreign })
        if (foreign) fault(known, new AttemptFailed({ kind: 'foreign' }, describeForeign(foreign)))
      },
      async countMissing(addresses) {
        const { accounts } = await send(known, accountsRequest(addresses as Address[]), checkLimits)
        return accounts.filter(({ exists }) => !exists).length
      },
      onIdentityChanged: mark.reset,
      ageMsMax: usual.checkMsMax,
    })
  }

  async function attempt<T>(known: Known, request: RpcRequest<T>, limits: PostLimits): Promise<T> {
    const deadlineMs = performance.now() + limits.timeoutMs
    const assertOurs = await inTime(known.cluster.begin(), deadlineMs)
    const sentAtMs = mark.now()
    const answer = await sendNewest(known, request, { ...limits, deadlineMs })
    await inTime(assertOurs(), deadlineMs)
    const slot = request.slotOf?.(answer)
    if (slot !== undefined && mark.isJump(slot, slotTime.slotMsMost()))
      await assertReached(known, slot, deadlineMs)
    known.answeredAtMs = performance.now()
    if (slot !== undefined) note(known, slot, sentAtMs)
    recover(known)
    return answer
  }

  /**
   * A load balancer may send one request to another cluster, and the next check to ours. If the other cluster's slot
   * became the mark, every answer from our own cluster would be refused as too old. So the endpoint has to reach that
   * slot twice. If too little time has passed for it on this machine, which may have been suspended, another endpoint
   * has to show it too: this one may lie about the time of its blocks as it does about slots.
   */
  async function assertReached(known: Known, slot: number, deadlineMs: number) {
    const rest = () => ({ ...checkLimits, timeoutMs: Math.max(1, deadlineMs - performance.now()) })
    await inTime(known.cluster.passedSince(performance.now()), deadlineMs)
    const now = await send(known, slotRequest(), rest())
    if (now < slot)
      throw new AttemptFailed({ kind: 'malformed' }, `it answered as of slot ${slot}, then as of slot ${now}`)
    if (mark.isPossible(slot)) return
    const isReached =
      all.length === 1
        ? mark.isPossible(slot, await showNewest(known, rest()))
        : await isShownByAnother(known, slot, rest())
    if (!isReached) throw new AttemptFailed({ kind: 'malformed' }, `slot ${slot} can't have been reached yet`)
  }

  async function isShownByAnother(known: Known, slot: number, limits: PostLimits): Promise<boolean> {
    const shown = all
      .filter(other => other !== known)
      .map(async other => {
        const block = await inTime(showNewest(other, limits), performance.now() + limits.timeoutMs)
        if (!mark.isShownBy(block, slot)) throw new AttemptFailed({ kind: 'lagging', slots: 0 }, 'below it')
      })
    return Promise.any(shown).then(
      () => true,
      () => false,
    )
  }

  async function showNewest(known: Known, limits: PostLimits): Promise<Block> {
    const sinceMs = performance.now()
    const block = await send(known, NEWEST_BLOCK_REQUEST, limits)
    await known.cluster.passedSince(sinceMs)
    return block
  }

  async function compareWithMark(known: Known) {
    if (known.isCompared) return
    known.isCompared = true
    try {
      known.sighting = mark.compare(await showNewest(known, checkLimits), known.sighting)
    } catch (error) {
      // The call that was refused has reported the endpoint's fault.
      if (!(error instanceof AttemptFailed)) throw error
    } finally {
      known.isCompared = false
    }
  }

  /** Sends the older form of a request to an endpoint that accepts no newer one. */
  async function sendNewest<T>(
    known: Known,
    request: RpcRequest<T>,
    { deadlineMs, ...limits }: PostLimits & { deadlineMs: number },
  ): Promise<T> {
    const { older } = request
    const sendIt = (form: RpcRequest<T>) =>
      send(known, form, { ...limits, timeoutMs: Math.max(1, deadlineMs - performance.now()) })
    if (!older) return sendIt(request)
    if (performance.now() < known.olderUntilMs) return sendIt(older.request)
    try {
      const answer = await sendIt(request)
      noteLacking(known, undefined)
      return answer
    } catch (error) {
      if (error instanceof AttemptFailed && error.code === UNSUPPORTED_VERSION) observer.onTooNew()
      if (!isFault(error, 'invalid')) throw error
    }
    try {
      const answer = await sendIt(older.request)
      noteLacking(known, older.lacks)
      return answer
    } catch (error) {
      // It understands this form, but does not have what was asked for.
      if (isFault(error, 'unable')) noteLacking(known, older.lacks)
      throw error
    }
  }

  function noteLacking(known: Known, lacks: string | undefined) {
    if (lacks !== undefined) known.olderUntilMs = performance.now() + usual.olderMs
    if (lacks === known.lacks) return
    known.lacks = lacks
    observer.onLacking({ endpoint: known.endpoint.label, lacks })
  }

  async function send<T>(
    known: Known,
    {
      method,
      params,
      decode,
      slotOf,
      slotsBehindMax = () => 0,
      isSizedByStrangers = false,
      cuts = false,
    }: RpcRequest<T>,
    limits: PostLimits,
  ): Promise<T> {
    const { endpoint } = known
    const startedMs = performance.now()
    const minContextSlot = Math.max(0, mark.slot() - Math.floor(slotsBehindMax(slotTime.slotMs())))
    if (isClosed) throw new AttemptFailed({ kind: 'closed' }, 'closed')
    calls += 1
    const id = calls
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: params(minContextSlot) })
    let outcome: Outcome = 'malformed'
    known.inFlight += 1
    try {
      const answer = parseResponse(await endpoint.post(body, { ...limits, cuts }), id, {
        minContextSlot,
        decode,
      })
      if (slotOf) assertRecent(slotOf(answer), minContextSlot)
      outcome = 'ok'
      return answer
    } catch (error) {
      if (!(error instanceof AttemptFailed)) throw error
      outcome = error.fault.kind
      throw isSizedByStrangers ? blameStrangers(error) : error
    } finally {
      known.inFlight -= 1
      const seconds = (performance.now() - startedMs) / 1_000
      observer.onAttempt({ endpoint: endpoint.label, method, outcome, seconds })
    }
  }

  /** A node may ignore `minContextSlot`; then only its answer shows that it is behind. */
  function assertRecent(slot: number, minContextSlot: number) {
    const slots = minContextSlot - slot
    if (slots > 0) throw new AttemptFailed({ kind: 'lagging', slots }, `${slots} slots behind`)
  }

  function note(known: Known, slot: number, sentAtMs: number) {
    if (slot > mark.slot()) slotTime.note(slot)
    mark.raise(slot, sentAtMs)
    if (slot === known.slot) return
    known.slot = slot
    observer.onSlot(known.endpoint.label, slot)
  }

  function recordFailure(known: Known, health: HealthChange, error: AttemptFailed, nowMs: number) {
    const hasRested = known.restsUntilMs > 0
    Object.assign(known, health)
    if (known.restsUntilMs === 0) return
    known.cluster.forget()
    planProbe(known)
    if (hasRested) return
    const { label, redact } = known.endpoint
    const restMs = known.restsUntilMs - nowMs
    const reason = `${error.fault.kind} (${redact(error.message)})`
    observer.onEndpoint({ endpoint: label, isUp: false, reason, restMs })
  }

  /** Probes an endpoint after its rest, so that no call has to wait for the result, and idle endpoints recover too. */
  function planProbe(known: Known) {
    clearTimeout(known.probe)
    const waitMs = Math.max(usual.probeMsMin, known.restsUntilMs - performance.now())
    known.probe = setTimeout(() => probe(known), waitMs).unref()
  }

  async function probe(known: Known) {
    const startedMs = performance.now()
    try {
      await attempt(known, slotRequest(), checkLimits)
    } catch (error) {
      if (!isClosed && error instanceof AttemptFailed) fault(known, error, startedMs)
    }
  }

  function fault(known: Known, error: AttemptFailed, startedMs = performance.now()) {
    const nowMs = performance.now()
    const attempts = [{ endpoint: all.indexOf(known), startedMs, fault: error.fault }]
    const { health } = decide({
      endpoints: all,
      attempts,
      nowMs,
      deadlineMs: nowMs,
      random: Math.random(),
      slotMs: slotTime.slotMs(),
      rests: usual,
    })
    if (health) recordFailure(known, health, error, nowMs)
    else if (known.restsUntilMs > 0) planProbe(known)
  }

  function recover(known: Known) {
    if (known.faultsInRow === 0) return
    const hasRested = known.restsUntilMs > 0
    known.faultsInRow = 0
    known.restsUntilMs = 0
    clearTimeout(known.probe)
    if (hasRested)
      observer.onEndpoint({ endpoint: known.endpoint.label, isUp: true, reason: 'answered', restMs: 0 })
  }

  return {
    all,
    attempt,
    recordFailure,
    fault,
    compareWithMark,
    close() {
      isClosed = true
      for (const { probe } of all) clearTimeout(probe)
    },
  }
}

const isFault = (error: unknown, kind: FaultKind): boolean =>
  error instanceof AttemptFailed && error.fault.kind === kind

/** An answer that strangers made too large or unreadable says nothing about the endpoint. */
function blameStrangers(error: AttemptFailed): AttemptFailed {
  const { kind } = error.fault
  if (kind === 'timeout') return new AttemptFailed({ kind: 'passing' }, error.message)
  return kind === 'malformed' ? new AttemptFailed({ kind: 'garbled' }, error.message) : error
}

/** A connection that was idle for too long breaks at its next use; the one after it is new. */
export async function onceMoreAfterReset<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AttemptFailed && error.fault.kind === 'reset') return work()
    throw error
  }
}

/** A check counts toward the time limit of the attempt that waits for it. */
export async function inTime<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new AttemptFailed({ kind: 'timeout' }, 'the cluster check took too long'))
    timer = setTimeout(fail, Math.max(0, deadlineMs - performance.now()))
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
