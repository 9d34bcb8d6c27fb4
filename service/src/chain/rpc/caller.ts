import type { ForeignCluster } from './cluster.ts'
import { type Attempt, attemptFactor, decide } from './decide.ts'
import {
  createEndpointPool,
  type EndpointPoolParts,
  inTime,
  type Known,
  onceMoreAfterReset,
} from './endpoint-pool.ts'
import { AttemptFailed, RpcError } from './fault.ts'
import type { RpcRequest } from './json-rpc.ts'
import { GENESIS_HASH_REQUEST } from './requests.ts'

export interface EndpointState {
  endpoint: string
  isUp: boolean
  /** The slot of its last good answer that had one. */
  slot: number | undefined
  foreign: ForeignCluster | undefined
  /** What the endpoint does not support, although this version asks for it. */
  lacks: string | undefined
}

/** Describes what endpoints do not support, without hosts: the text is public. */
export function describeLacking(states: readonly EndpointState[]): string {
  const lacking = states.filter(({ lacks }) => lacks !== undefined)
  const [first] = lacking
  if (!first) return ''
  return `${lacking.length === 1 ? '1 endpoint does' : `${lacking.length} endpoints do`} not support ${first.lacks}`
}

export interface Caller {
  /** Rejects with `RpcError`. */
  call<T>(request: RpcRequest<T>): Promise<T>
  /** Asks every endpoint of our cluster, and checks each one during the call. */
  callEach<T>(request: RpcRequest<T>): Promise<EachAnswer<T>[]>
  /**
   * Resolves when every endpoint that answered since then has been checked after its answer. Rejects if one of them
   * belongs to another cluster or can't be checked in time. Data read since then must not be used.
   */
  confirmCluster(sinceMs: number, timeoutMs?: number): Promise<void>
  /** An endpoint lacks accounts that another one has, so it is not called for a while. */
  setAside(endpoint: string): void
  states(): EndpointState[]
  close(): Promise<void>
}

/** The answer of one endpoint; `answer` is absent if the call failed. */
interface EachAnswer<T> {
  endpoint: string
  answer: T | undefined
}

/** Calls the endpoints of a network until one answers. All decisions on retries are in decide.ts. */
export function createCaller(parts: EndpointPoolParts): Caller {
  const { endpoints, mark, slotTime, limits: usual, observer } = parts
  const pool = createEndpointPool(parts)
  const { all, attempt, recordFailure, fault, compareWithMark } = pool
  const pauses = new Map<NodeJS.Timeout, () => void>()

  async function call<T>(request: RpcRequest<T>): Promise<T> {
    const limits = { ...usual, ...request.limits }
    const deadlineMs = performance.now() + limits.totalMs
    const attempts: Attempt[] = []
    const codes: number[] = []
    let error: AttemptFailed | undefined
    for (;;) {
      const last = attempts.at(-1)
      const nowMs = performance.now()
      const decision = decide({
        endpoints: all,
        attempts,
        nowMs,
        deadlineMs,
        random: Math.random(),
        slotMs: slotTime.slotMs(),
        rests: usual,
      })
      if (last && error && decision.health)
        recordFailure(all[last.endpoint] as Known, decision.health, error, nowMs)
      if (!decision.next) {
        const lagging = new Set(
          attempts.flatMap(({ endpoint, fault }) => (fault.kind === 'lagging' ? [endpoint] : [])),
        )
        if (lagging.size > 0) observer.onAllBehind(mark.slot())
        for (const at of lagging) void compareWithMark(all[at] as Known)
        throw fail(request.method, attempts, error, codes)
      }
      const { endpoint, delayMs } = decision.next
      if (last) observer.onRetry({ method: request.method, reason: last.fault.kind })
      if (delayMs > 0) await pause(delayMs)
      const startedMs = performance.now()
      const timeoutMs = Math.min(limits.attemptMs * attemptFactor(all.length), deadlineMs - startedMs)
      try {
        return await attempt(all[endpoint] as Known, request, { timeoutMs, bytesMax: limits.bytesMax })
      } catch (failure) {
        if (!(failure instanceof AttemptFailed)) throw failure
        error = failure
        if (error.code !== undefined) codes.push(error.code)
        attempts.push({ endpoint, startedMs, fault: error.fault })
      }
    }
  }

  async function callEach<T>(request: RpcRequest<T>): Promise<EachAnswer<T>[]> {
    const sinceMs = performance.now()
    const { attemptMs: timeoutMs, bytesMax } = { ...usual, ...request.limits }
    const answers = await Promise.all(
      all.map(async known => {
        const startedMs = performance.now()
        const endpoint = known.endpoint.label
        try {
          await inTime(known.cluster.passedSince(sinceMs), startedMs + timeoutMs)
          const answer = await onceMoreAfterReset(() => attempt(known, request, { timeoutMs, bytesMax }))
          return { endpoint, answer }
        } catch (error) {
          if (!(error instanceof AttemptFailed)) throw error
          fault(known, error, startedMs)
          return error.fault.kind === 'foreign' ? undefined : { endpoint, answer: undefined }
        }
      }),
    )
    return answers.filter(answer => answer !== undefined)
  }

  async function confirmCluster(sinceMs: number, timeoutMs = usual.attemptMs): Promise<void> {
    await Promise.all(
      all.map(async known => {
        if (known.answeredAtMs < sinceMs) return
        const startedMs = performance.now()
        try {
          await inTime(known.cluster.passedSince(known.answeredAtMs), startedMs + timeoutMs)
        } catch (error) {
          if (!(error instanceof AttemptFailed)) throw error
          fault(known, error, startedMs)
          const attempt = { endpoint: all.indexOf(known), startedMs, fault: error.fault }
          throw fail(GENESIS_HASH_REQUEST.method, [attempt], error)
        }
      }),
    )
  }

  function fail(
    method: string,
    attempts: readonly Attempt[],
    error: AttemptFailed | undefined,
    codes?: readonly number[],
  ): RpcError {
    const last = attempts.at(-1)
    const endpoint = last && all[last.endpoint]?.endpoint
    return new RpcError(method, {
      kind: last?.fault.kind ?? 'timeout',
      code: error?.code,
      ...(codes && { codes }),
      endpoint: endpoint?.label ?? 'no endpoint',
      detail: endpoint && error ? endpoint.redact(error.message) : 'not called',
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
    call,
    callEach,
    confirmCluster,
    setAside(label) {
      const known = all.find(({ endpoint }) => endpoint.label === label)
      if (known)
        fault(known, new AttemptFailed({ kind: 'incomplete' }, 'it lacks accounts that another endpoint has'))
    },
    states: () =>
      all.map(({ endpoint, cluster, restsUntilMs, slot, lacks }) => ({
        endpoint: endpoint.label,
        isUp: restsUntilMs === 0,
        slot,
        foreign: cluster.foreign(),
        lacks,
      })),
    async close() {
      pool.close()
      for (const [timer, done] of pauses) {
        clearTimeout(timer)
        done()
      }
      await Promise.all(endpoints.map(endpoint => endpoint.close()))
    },
  }
}
