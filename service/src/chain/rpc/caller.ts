import type { ClusterIdentity } from './cluster.ts'
import { type ClusterCheck, createClusterCheck, type ForeignCluster, UNCHECKED } from './cluster-check.ts'
import { type Attempt, decide, type Health } from './decide.ts'
import type { Endpoint } from './endpoint.ts'
import { AttemptFailed, type FaultKind } from './fault.ts'
import { type CallLimits, GENESIS_HASH_QUESTION, type Question, slotQuestion } from './question.ts'
import { readAnswer } from './read-answer.ts'
import { RpcError } from './rpc-error.ts'
import type { SlotMark } from './slot-mark.ts'

/** Plain callbacks: whoever wants metrics or a log makes them of these. Endpoints are named by their labels. */
export interface RpcObserver {
  /** One attempt is over. */
  onAttempt(attempt: { endpoint: string; method: string; outcome: Outcome; seconds: number }): void
  /** A call is tried again because of this. */
  onRetry(retry: { method: string; reason: FaultKind }): void
  /** An endpoint begins to rest, or is well again. */
  onEndpoint(state: { endpoint: string; isUp: boolean; reason: string; restMs: number }): void
  /** An endpoint turned out to belong to another cluster, or to ours again. */
  onCluster(state: { endpoint: string; foreign: ForeignCluster | undefined }): void
  onSlot(endpoint: string, slot: number): void
  /** So many reads of accounts went out in so many calls. */
  onReads(reads: number, calls: number): void
}

export type Outcome = 'ok' | FaultKind

export interface EndpointState {
  endpoint: string
  isUp: boolean
  /** Of its last good answer that told one. */
  slot: number | undefined
  foreign: ForeignCluster | undefined
}

export interface Caller {
  /** Rejects with `RpcError`. */
  ask<T>(question: Question<T>): Promise<T>
  /** Asks every endpoint of our cluster, each checked in this very call. */
  askEach<T>(question: Question<T>): Promise<EachAnswer<T>[]>
  /**
   * Resolves when every endpoint that answered since then has been checked after its answer. Rejects when one of them
   * belongs to another cluster or can't be checked: then nothing that was read since may be acted on.
   */
  confirmCluster(sinceMs: number): Promise<void>
  /** An endpoint lacks accounts that another one has: it is not asked for a while. */
  setAside(endpoint: string): void
  states(): EndpointState[]
  close(): Promise<void>
}

/** What one endpoint answered; `answer` is absent where it failed. */
export interface EachAnswer<T> {
  endpoint: string
  answer: T | undefined
}

interface Known extends Health {
  endpoint: Endpoint
  cluster: ClusterCheck
  slot: number | undefined
  answeredAtMs: number
  /** Runs while it rests. */
  probe: NodeJS.Timeout | undefined
}

const PROBE_MS_MIN = 500

/** Asks the endpoints of a network until one answers, as decide.ts says. */
export function createCaller({
  endpoints,
  cluster,
  mark,
  limits: usual,
  observer,
}: {
  endpoints: readonly Endpoint[]
  cluster: ClusterIdentity | 'any'
  mark: SlotMark
  limits: CallLimits
  observer: RpcObserver
}): Caller {
  const all: Known[] = endpoints.map(endpoint => ({
    endpoint,
    cluster: UNCHECKED,
    slot: undefined,
    answeredAtMs: Number.NEGATIVE_INFINITY,
    probe: undefined,
    faultsInRow: 0,
    faultAtMs: 0,
    restsUntilMs: 0,
    inFlight: 0,
  }))
  if (cluster !== 'any') for (const known of all) known.cluster = createCheck(known, cluster)
  const checkLimits = { timeoutMs: usual.attemptMs, bytesMax: usual.bytesMax }
  const pauses = new Map<NodeJS.Timeout, () => void>()
  let calls = 0
  let isClosed = false

  function createCheck(known: Known, identity: ClusterIdentity): ClusterCheck {
    return createClusterCheck({
      identity,
      mark,
      fetchHash: () => send(known, GENESIS_HASH_QUESTION, checkLimits),
      onForeign(foreign) {
        observer.onCluster({ endpoint: known.endpoint.label, foreign })
        if (foreign) fault(known, new AttemptFailed({ kind: 'foreign' }, 'it belongs to another cluster'))
      },
      onIdentityChanged: mark.reset,
    })
  }

  async function ask<T>(question: Question<T>): Promise<T> {
    const limits = { ...usual, ...question.limits }
    const deadlineMs = performance.now() + limits.totalMs
    const attempts: Attempt[] = []
    let error: AttemptFailed | undefined
    for (;;) {
      const last = attempts.at(-1)
      const nowMs = performance.now()
      const decision = decide({ endpoints: all, attempts, nowMs, deadlineMs, random: Math.random() })
      if (last && error && decision.health) learn(all[last.endpoint] as Known, decision.health, error, nowMs)
      if (!decision.next) {
        if (attempts.some(({ fault }) => fault.kind === 'lagging')) mark.missed()
        throw fail(question.method, attempts, error)
      }
      const { endpoint, delayMs } = decision.next
      if (last) observer.onRetry({ method: question.method, reason: last.fault.kind })
      if (delayMs > 0) await pause(delayMs)
      const startedMs = performance.now()
      const timeoutMs = Math.min(limits.attemptMs, deadlineMs - startedMs)
      try {
        return await attempt(all[endpoint] as Known, question, { timeoutMs, bytesMax: limits.bytesMax })
      } catch (failure) {
        if (!(failure instanceof AttemptFailed)) throw failure
        error = failure
        attempts.push({ endpoint, startedMs, fault: error.fault })
      }
    }
  }

  async function attempt<T>(
    known: Known,
    question: Question<T>,
    limits: { timeoutMs: number; bytesMax: number },
  ): Promise<T> {
    const assertOurs = await known.cluster.begin()
    const answer = await send(known, question, limits)
    await assertOurs()
    known.answeredAtMs = performance.now()
    if (question.slotOf) note(known, question.slotOf(answer))
    recover(known)
    return answer
  }

  async function send<T>(
    known: Known,
    { method, params, decode, slotOf, slotsBehindMax = 0 }: Question<T>,
    limits: { timeoutMs: number; bytesMax: number },
  ): Promise<T> {
    const { endpoint } = known
    const startedMs = performance.now()
    const minContextSlot = Math.max(0, mark.slot() - slotsBehindMax)
    if (isClosed) throw new AttemptFailed({ kind: 'closed' }, 'closed')
    calls += 1
    const id = calls
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: params(minContextSlot) })
    let outcome: Outcome = 'malformed'
    known.inFlight += 1
    try {
      const answer = readAnswer(await endpoint.post(body, limits), id, { minContextSlot, decode })
      if (slotOf) assertRecent(slotOf(answer), minContextSlot)
      outcome = 'ok'
      return answer
    } catch (error) {
      if (error instanceof AttemptFailed) outcome = error.fault.kind
      throw error
    } finally {
      known.inFlight -= 1
      const seconds = (performance.now() - startedMs) / 1_000
      observer.onAttempt({ endpoint: endpoint.label, method, outcome, seconds })
    }
  }

  /** Nodes may ignore `minContextSlot`, and say so only in what they answer. */
  function assertRecent(slot: number, minContextSlot: number) {
    const slots = minContextSlot - slot
    if (slots > 0) throw new AttemptFailed({ kind: 'lagging', slots }, `${slots} slots behind`)
  }

  function note(known: Known, slot: number) {
    mark.reached(slot)
    if (slot === known.slot) return
    known.slot = slot
    observer.onSlot(known.endpoint.label, slot)
  }

  function learn(known: Known, health: Omit<Health, 'inFlight'>, error: AttemptFailed, nowMs: number) {
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

  /** After a rest, so that nobody who calls has to find out, and one that nobody needs is known to be well again. */
  function planProbe(known: Known) {
    clearTimeout(known.probe)
    const waitMs = Math.max(PROBE_MS_MIN, known.restsUntilMs - performance.now())
    known.probe = setTimeout(() => probe(known), waitMs).unref()
  }

  async function probe(known: Known) {
    const startedMs = performance.now()
    try {
      await attempt(known, slotQuestion(), checkLimits)
    } catch (error) {
      if (!isClosed && error instanceof AttemptFailed) fault(known, error, startedMs)
    }
  }

  /** Something was seen of an endpoint outside of `ask`. */
  function fault(known: Known, error: AttemptFailed, startedMs = performance.now()) {
    const nowMs = performance.now()
    const attempts = [{ endpoint: all.indexOf(known), startedMs, fault: error.fault }]
    const { health } = decide({ endpoints: all, attempts, nowMs, deadlineMs: nowMs, random: Math.random() })
    if (health) learn(known, health, error, nowMs)
    else if (known.restsUntilMs > 0) planProbe(known)
  }

  async function askEach<T>(question: Question<T>): Promise<EachAnswer<T>[]> {
    const sinceMs = performance.now()
    const { attemptMs: timeoutMs, bytesMax } = { ...usual, ...question.limits }
    const answers = await Promise.all(
      all.map(async known => {
        const startedMs = performance.now()
        const endpoint = known.endpoint.label
        try {
          await known.cluster.passedSince(sinceMs)
          return { endpoint, answer: await attempt(known, question, { timeoutMs, bytesMax }) }
        } catch (error) {
          if (!(error instanceof AttemptFailed)) throw error
          fault(known, error, startedMs)
          return error.fault.kind === 'foreign' ? undefined : { endpoint, answer: undefined }
        }
      }),
    )
    return answers.filter(answer => answer !== undefined)
  }

  async function confirmCluster(sinceMs: number): Promise<void> {
    await Promise.all(
      all.map(async known => {
        if (known.answeredAtMs < sinceMs) return
        const startedMs = performance.now()
        try {
          await known.cluster.passedSince(known.answeredAtMs)
        } catch (error) {
          if (!(error instanceof AttemptFailed)) throw error
          fault(known, error, startedMs)
          const attempt = { endpoint: all.indexOf(known), startedMs, fault: error.fault }
          throw fail(GENESIS_HASH_QUESTION.method, [attempt], error)
        }
      }),
    )
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

  function fail(method: string, attempts: readonly Attempt[], error: AttemptFailed | undefined): RpcError {
    const last = attempts.at(-1)
    const endpoint = last && all[last.endpoint]?.endpoint
    return new RpcError(method, {
      kind: last?.fault.kind ?? 'timeout',
      code: error?.code,
      endpoint: endpoint?.label ?? 'nobody',
      detail: endpoint && error ? endpoint.redact(error.message) : 'not asked',
      attempts: attempts.length,
    })
  }

  const pause = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(done, ms)
      function done() {
        pauses.delete(timer)
        resolve()
      }
      pauses.set(timer, done)
    })

  return {
    ask,
    askEach,
    confirmCluster,
    setAside(label) {
      const known = all.find(({ endpoint }) => endpoint.label === label)
      if (known) fault(known, new AttemptFailed({ kind: 'incomplete' }, 'it lacks accounts that another has'))
    },
    states: () =>
      all.map(({ endpoint, cluster, restsUntilMs, slot }) => ({
        endpoint: endpoint.label,
        isUp: restsUntilMs === 0,
        slot,
        foreign: cluster.foreign(),
      })),
    async close() {
      isClosed = true
      for (const { probe } of all) clearTimeout(probe)
      for (const [timer, done] of pauses) {
        clearTimeout(timer)
        done()
      }
      await Promise.all(endpoints.map(endpoint => endpoint.close()))
    },
  }
}
