import type { Fault, FaultKind } from './fault.ts'
import { LAG_MS_MAX, RPC_LIMITS, type RpcLimits } from './limits.ts'

/** What is known about an endpoint. */
export interface Health {
  /** Faults since its last good answer. */
  faultsInRow: number
  /** When the last of them occurred. */
  faultAtMs: number
  /** 0 if it has not rested since its last good answer. */
  restsUntilMs: number
  /** Attempts in flight, of all calls. */
  inFlight: number
  /** When it last gave a good answer, to any call. */
  answeredAtMs: number
}

/** What a fault changes. */
export type HealthChange = Omit<Health, 'inFlight' | 'answeredAtMs'>

export interface Attempt {
  endpoint: number
  startedMs: number
  fault: Fault
}

export interface Situation {
  /** In the order in which they are preferred. */
  endpoints: readonly Health[]
  /** The attempts of this call so far. All have failed, the last one just now. */
  attempts: readonly Attempt[]
  nowMs: number
  /** When the call must end, whatever its outcome. */
  deadlineMs: number
  /** From 0 up to 1. */
  random: number
  /** How long a slot takes now. */
  slotMs: number
  rests?: Pick<RpcLimits, 'restMsMin' | 'restMsMax'>
}

export interface Decision {
  /** The new health of the endpoint that failed last; absent if its fault says nothing new. */
  health: HealthChange | undefined
  /** Absent if the call is given up. */
  next: { endpoint: number; delayMs: number } | undefined
}

/**
 * What follows from each fault. `again`: where the same request may be sent again. `spared`: how many faults in a row
 * an endpoint may have before it has to rest.
 */
const RULES: Record<FaultKind, { again: 'anywhere' | 'elsewhere' | 'never'; spared: number }> = {
  reset: { again: 'anywhere', spared: 1 },
  unreachable: { again: 'anywhere', spared: 0 },
  timeout: { again: 'anywhere', spared: 0 },
  limited: { again: 'anywhere', spared: 0 },
  failed: { again: 'anywhere', spared: 0 },
  malformed: { again: 'anywhere', spared: 0 },
  unhealthy: { again: 'anywhere', spared: 0 },
  // One URL often leads to several nodes, a slot or two apart: the next answer may come from another node.
  lagging: { again: 'anywhere', spared: 2 },
  // A provider's plan may exclude a method: only an endpoint that refuses everything has to rest.
  refused: { again: 'elsewhere', spared: 1 },
  foreign: { again: 'elsewhere', spared: 0 },
  incomplete: { again: 'elsewhere', spared: 0 },
  // These say something about the request or about us, and nothing about the endpoint.
  unchecked: { again: 'elsewhere', spared: Number.POSITIVE_INFINITY },
  passing: { again: 'anywhere', spared: Number.POSITIVE_INFINITY },
  garbled: { again: 'elsewhere', spared: Number.POSITIVE_INFINITY },
  unable: { again: 'elsewhere', spared: Number.POSITIVE_INFINITY },
  invalid: { again: 'never', spared: Number.POSITIVE_INFINITY },
  closed: { again: 'never', spared: Number.POSITIVE_INFINITY },
}

export const ATTEMPTS_MAX = 5
const DELAY_MS_MIN = 50
export const DELAY_MS_MAX = 400
/** Such an endpoint is unlikely to have recovered a second later. */
const LONG_RESTS: ReadonlySet<FaultKind> = new Set(['foreign', 'incomplete'])
/** Less time than this is not worth an attempt. */
export const ATTEMPT_MS_MIN = 200

/**
 * Makes all decisions on retries and failover: which endpoint is called first and next, after what pause, and which
 * has to rest. It is pure: time and chance are arguments.
 *
 * 1. Endpoints are preferred in their order. A resting endpoint is skipped while another is left.
 * 2. A rest starts at one second and doubles with every further fault in a row, up to half a minute; a good answer
 * ends
 *    it. Attempts that were already in flight when the last fault occurred count as the same fault.
 * 3. After a rest, the endpoint gets one attempt at a time (usually a probe), so that no more than one call waits for
 * an
 *    endpoint that is still down.
 * 4. If all of them rest, the one whose rest ends first is called anyway, so that recovery is noticed at once.
 * 5. Another endpoint is called at once; the same one after a pause that doubles, with jitter. Only a broken
 * connection
 *    needs no pause: the next one is new.
 * 6. An endpoint that can't handle a request is not sent it again; an invalid request is not sent again at all.
 * 7. An endpoint of another cluster, or one that lacks accounts, rests for half a minute at once.
 * 8. A call that can't succeed before its deadline is given up now.
 * 9. An endpoint that is slow to answer one call, and answers others meanwhile, is slow at that call, and need not rest.
 * 10. The only endpoint does not rest for being busy while it has answered in the last half minute: no other would take its
 *     calls. Each attempt at it may take twice as long, because the same request again would only add to its load.
 */
export function decide({
  endpoints,
  attempts,
  nowMs,
  deadlineMs,
  random,
  slotMs,
  rests = RPC_LIMITS,
}: Situation): Decision {
  // Nearly every call: nothing has gone wrong, and the first endpoint is healthy.
  if (attempts.length === 0 && endpoints[0]?.restsUntilMs === 0)
    return { health: undefined, next: { endpoint: 0, delayMs: 0 } }

  const last = attempts.at(-1)
  const health =
    last && judge(endpoints[last.endpoint] as Health, last, { endpoints, nowMs, random, slotMs, rests })
  const giveUp = { health, next: undefined }
  if (last && RULES[last.fault.kind].again === 'never') return giveUp
  if (attempts.length >= ATTEMPTS_MAX) return giveUp

  const barred = new Set(
    attempts.filter(({ fault }) => RULES[fault.kind].again === 'elsewhere').map(({ endpoint }) => endpoint),
  )
  let next: { endpoint: number; rank: readonly number[]; tries: number } | undefined
  for (let endpoint = 0; endpoint < endpoints.length; endpoint += 1) {
    if (barred.has(endpoint)) continue
    const known = endpoints[endpoint] as Health
    const tries = attempts.filter(attempt => attempt.endpoint === endpoint).length
    const { restsUntilMs } = (endpoint === last?.endpoint && health) || known
    const isUp = restsUntilMs === 0 || (restsUntilMs <= nowMs && known.inFlight === 0)
    const rank = [isUp ? 0 : 1, tries, isUp ? 0 : restsUntilMs]
    if (!next || isBefore(rank, next.rank)) next = { endpoint, rank, tries }
  }
  if (!next) return giveUp

  const { endpoint, tries } = next
  const delayMs = tries === 0 ? 0 : pauseBefore(endpoint, attempts, endpoints.length, random)
  if (last && nowMs + delayMs + ATTEMPT_MS_MIN > deadlineMs) return giveUp
  return { health, next: { endpoint, delayMs } }
}

/** By what the time of one attempt is multiplied, for this many endpoints: rule 10. */
export const attemptFactor = (endpoints: number): number => (endpoints === 1 ? 2 : 1)

/** What a fault says about its endpoint. */
function judge(
  known: Health,
  { fault, startedMs }: Attempt,
  { endpoints, nowMs, random, slotMs, rests }: Required<Omit<Situation, 'attempts' | 'deadlineMs'>>,
) {
  const { spared } = RULES[fault.kind]
  const isOldNews = known.faultsInRow > 0 && startedMs < known.faultAtMs
  const isSlowOnce = fault.kind === 'timeout' && known.answeredAtMs > startedMs
  const isBusy = fault.kind === 'timeout' || fault.kind === 'limited'
  const isNeeded = endpoints.length === 1 && isBusy && nowMs - known.answeredAtMs < rests.restMsMax
  if (spared === Number.POSITIVE_INFINITY || isOldNews || isSlowOnce || isNeeded) return undefined
  const faultsInRow = known.faultsInRow + 1
  const isFarBehind = fault.kind === 'lagging' && fault.slots * slotMs > LAG_MS_MAX
  const doublings = faultsInRow - 1 - (isFarBehind ? 0 : spared)
  if (doublings < 0) return { faultsInRow, faultAtMs: nowMs, restsUntilMs: known.restsUntilMs }
  const backoffMs = LONG_RESTS.has(fault.kind) ? rests.restMsMax : rests.restMsMin * 2 ** doublings
  const grownMs = Math.min(rests.restMsMax, backoffMs) * (0.75 + random / 4)
  const askedForMs = fault.kind === 'limited' ? Math.min(rests.restMsMax, fault.retryAfterMs ?? 0) : 0
  return { faultsInRow, faultAtMs: nowMs, restsUntilMs: nowMs + Math.max(grownMs, askedForMs) }
}

/** How long to wait before an endpoint is called again within one call. */
function pauseBefore(
  endpoint: number,
  attempts: readonly Attempt[],
  endpoints: number,
  random: number,
): number {
  const fault = attempts.findLast(attempt => attempt.endpoint === endpoint)?.fault
  const rounds = attempts.length - Math.min(attempts.length, endpoints)
  if (fault?.kind === 'reset' && rounds === 0) return 0
  const grownMs = Math.min(DELAY_MS_MAX, DELAY_MS_MIN * 2 ** rounds) * (0.5 + random / 2)
  return Math.max(grownMs, (fault?.kind === 'limited' && fault.retryAfterMs) || 0)
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index])
  return at !== -1 && (a[at] as number) < (b[at] as number)
}
