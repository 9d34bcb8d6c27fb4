import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ATTEMPT_MS_MIN,
  ATTEMPTS_MAX,
  type Attempt,
  DELAY_MS_MAX,
  type Decision,
  decide,
  type Health,
  type Situation,
} from './decide.ts'
import type { Fault, FaultKind } from './fault.ts'
import { RPC_LIMITS } from './limits.ts'

const healthy: Health = {
  faultsInRow: 0,
  faultAtMs: 0,
  restsUntilMs: 0,
  inFlight: 0,
  answeredAtMs: Number.NEGATIVE_INFINITY,
}
const resting = (untilMs: number): Health => ({
  ...healthy,
  faultsInRow: 1,
  faultAtMs: 1,
  restsUntilMs: untilMs,
})
const now = 100_000

function situation(partial: Partial<Situation>): Situation {
  return {
    endpoints: [healthy],
    attempts: [],
    nowMs: now,
    deadlineMs: now + 3_000,
    random: 0.5,
    slotMs: 400,
    ...partial,
  }
}
const failed = (endpoint: number, fault: Fault | FaultKind, startedMs = now - 10): Attempt => ({
  endpoint,
  startedMs,
  fault: typeof fault === 'string' ? ({ kind: fault } as Fault) : fault,
})
const nextOf = ({ next }: Decision) => next?.endpoint

describe('the first attempt goes to', () => {
  test('the first endpoint that does not rest', () => {
    expect(decide(situation({ endpoints: [healthy, healthy] })).next).toEqual({ endpoint: 0, delayMs: 0 })
    expect(nextOf(decide(situation({ endpoints: [resting(now + 1), healthy, healthy] })))).toBe(1)
  })

  test('the endpoint whose rest ends first, if all of them rest', () => {
    const endpoints = [resting(now + 900), resting(now + 300), resting(now + 500)]
    expect(decide(situation({ endpoints })).next).toEqual({ endpoint: 1, delayMs: 0 })
  })

  test('a rested endpoint, one attempt at a time', () => {
    const rested = resting(now - 1)
    expect(nextOf(decide(situation({ endpoints: [rested, healthy] })))).toBe(0)
    expect(nextOf(decide(situation({ endpoints: [{ ...rested, inFlight: 1 }, healthy] })))).toBe(1)
  })

  test('an endpoint even if hardly any time is left', () => {
    expect(nextOf(decide(situation({ deadlineMs: now + 1, endpoints: [resting(now + 5)] })))).toBe(0)
  })
})

describe('after a failed attempt', () => {
  test('another endpoint is called at once, the same one after a pause that doubles', () => {
    const endpoints = [healthy, healthy]
    expect(decide(situation({ endpoints, attempts: [failed(0, 'timeout')] })).next).toEqual({
      endpoint: 1,
      delayMs: 0,
    })
    const pauses = [1, 2, 3, 4].map(times => {
      const attempts = Array.from({ length: times }, () => failed(0, 'failed'))
      return decide(situation({ attempts, random: 1 })).next?.delayMs
    })
    expect(pauses).toEqual([50, 100, 200, 400])
  })

  test('the first broken connection needs no pause', () => {
    expect(decide(situation({ attempts: [failed(0, 'reset')] })).next?.delayMs).toBe(0)
    const twice = [failed(0, 'reset'), failed(0, 'reset')]
    expect(decide(situation({ attempts: twice })).next?.delayMs).toBeGreaterThan(0)
  })

  test('an invalid request is not sent again, even if other endpoints are healthy', () => {
    expect(
      decide(situation({ endpoints: [healthy, healthy], attempts: [failed(0, 'invalid')] })).next,
    ).toBeUndefined()
  })

  test.each(['refused', 'unable'] as const)('%s: no endpoint is called again', kind => {
    const endpoints = [healthy, healthy]
    expect(nextOf(decide(situation({ endpoints, attempts: [failed(0, kind)] })))).toBe(1)
    const both = [failed(0, kind), failed(1, kind)]
    expect(decide(situation({ endpoints, attempts: both })).next).toBeUndefined()
    // Only the endpoint with the other fault is called again.
    const mixed = [failed(0, kind), failed(1, 'timeout')]
    expect(nextOf(decide(situation({ endpoints, attempts: mixed })))).toBe(1)
  })

  test('Retry-After is honoured, and the call is given up if that is too late', () => {
    const limited = (retryAfterMs: number) => [failed(0, { kind: 'limited', retryAfterMs })]
    expect(decide(situation({ attempts: limited(700) })).next).toEqual({ endpoint: 0, delayMs: 700 })
    expect(decide(situation({ attempts: limited(60_000) })).next).toBeUndefined()
    expect(nextOf(decide(situation({ endpoints: [healthy, healthy], attempts: limited(60_000) })))).toBe(1)
  })

  test('the call is given up if there is no time for another attempt', () => {
    const attempts = [failed(0, 'timeout')]
    expect(
      decide(situation({ endpoints: [healthy, healthy], attempts, deadlineMs: now + ATTEMPT_MS_MIN - 1 }))
        .next,
    ).toBeUndefined()
  })
})

describe('a rest', () => {
  const restAfter = (faultsInRow: number, fault: Fault | FaultKind, random = 1) => {
    const { health } = decide(
      situation({ endpoints: [{ ...healthy, faultsInRow }], attempts: [failed(0, fault)], random }),
    )
    return health && Math.max(0, health.restsUntilMs - now)
  }

  test.each(['unreachable', 'timeout', 'limited', 'failed', 'malformed', 'unhealthy'] as const)(
    '%s: starts at once, doubles each time, and takes at most half a minute',
    kind => {
      const rests = [0, 1, 2, 3, 4, 5, 6, 50].map(faults => restAfter(faults, kind))
      expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
    },
  )

  test.each([
    ['reset', 1],
    ['refused', 1],
    ['lagging', 2],
  ] as const)('%s: starts only after repeated faults', (kind, spared) => {
    const fault = (kind === 'lagging' ? { kind, slots: 2 } : { kind }) as Fault
    const rests = [0, 1, 2, 3].map(faults => restAfter(faults, fault))
    expect(rests.filter(restMs => restMs === 0)).toHaveLength(spared)
    expect(rests[spared]).toBe(1_000)
  })

  test('starts at once if the node is far behind', () => {
    expect(restAfter(0, { kind: 'lagging', slots: 51 })).toBe(1_000)
  })

  test.each(['passing', 'garbled', 'unable', 'invalid', 'closed'] as const)(
    '%s: does not follow, because the fault says nothing about the endpoint',
    kind => {
      expect(restAfter(3, kind)).toBeUndefined()
    },
  )

  test('does not follow from a slow answer to one call if the endpoint has answered another one meanwhile', () => {
    const after = (answeredAtMs: number, kind: FaultKind) =>
      decide(situation({ endpoints: [{ ...healthy, answeredAtMs }, healthy], attempts: [failed(0, kind)] }))
        .health
    expect(after(now - 5, 'timeout')).toBeUndefined()
    expect(after(now - 15, 'timeout')).toMatchObject({ faultsInRow: 1 })
    expect(after(now - 5, 'failed')).toMatchObject({ faultsInRow: 1 })
  })

  test('does not follow if the only endpoint is busy, unless it has not answered anything for half a minute', () => {
    const after = (answeredAtMs: number, kind: FaultKind) =>
      decide(situation({ endpoints: [{ ...healthy, answeredAtMs }], attempts: [failed(0, kind)] })).health
    for (const kind of ['timeout', 'limited'] as const) {
      expect(after(now - 29_000, kind)).toBeUndefined()
      expect(after(now - 31_000, kind)).toMatchObject({ faultsInRow: 1 })
    }
    expect(after(now - 1, 'unreachable')).toMatchObject({ faultsInRow: 1 })
  })

  test('takes as long as Retry-After says, up to a limit', () => {
    expect(restAfter(0, { kind: 'limited', retryAfterMs: 7_000 })).toBe(7_000)
    expect(restAfter(0, { kind: 'limited', retryAfterMs: 86_400_000 })).toBe(RPC_LIMITS.restMsMax)
  })

  test('counts attempts that fail together as one fault', () => {
    const endpoints = [{ ...healthy, faultsInRow: 1, faultAtMs: now - 5, restsUntilMs: now + 995 }]
    expect(decide(situation({ endpoints, attempts: [failed(0, 'timeout', now - 6)] })).health).toBeUndefined()
    expect(
      decide(situation({ endpoints, attempts: [failed(0, 'timeout', now - 4)] })).health?.faultsInRow,
    ).toBe(2)
  })
})

const KINDS: FaultKind[] = [
  'reset',
  'unreachable',
  'timeout',
  'limited',
  'failed',
  'refused',
  'malformed',
  'garbled',
  'lagging',
  'unhealthy',
  'passing',
  'unable',
  'invalid',
  'closed',
]
const fault = fc.oneof(
  fc.constantFrom(...KINDS.filter(kind => kind !== 'limited' && kind !== 'lagging')).map(kind => ({ kind })),
  fc.record({
    kind: fc.constant('limited'),
    retryAfterMs: fc.option(fc.nat(100_000), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('lagging'), slots: fc.nat(1_000) }),
) as fc.Arbitrary<Fault>

/** Whole calls, from the first attempt to the last, whatever the endpoints do. */
test('every call ends in time, and no endpoint gets a request that it cannot answer', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          faultsInRow: fc.nat(8),
          faultAtMs: fc.nat(1_000),
          restsUntilMs: fc.oneof(fc.constant(0), fc.integer({ min: 900, max: 20_000 })),
          inFlight: fc.nat(3),
          answeredAtMs: fc.nat(1_000),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      fc.array(
        fc.record({ fault, tookMs: fc.nat(1_200), random: fc.double({ min: 0, max: 1, noNaN: true }) }),
        {
          minLength: ATTEMPTS_MAX + 1,
          maxLength: ATTEMPTS_MAX + 1,
        },
      ),
      (endpoints, script) => {
        let nowMs = 1_000
        const deadlineMs = nowMs + 2_800
        const attempts: Attempt[] = []
        for (const { fault, tookMs, random } of script) {
          const seen = { endpoints, attempts, nowMs, deadlineMs, random, slotMs: 200 }
          const before = structuredClone(seen)
          const { health, next } = decide(seen)
          expect(seen).toEqual(before)
          const last = attempts.at(-1)
          if (last && health) Object.assign(endpoints[last.endpoint] as Health, health)
          if (health) expect(health.restsUntilMs - nowMs).toBeLessThan(RPC_LIMITS.restMsMax + 0.001)
          if (!next) {
            expect(attempts.length).toBeGreaterThan(0)
            return
          }
          if (last) expect(nowMs + next.delayMs + ATTEMPT_MS_MIN).toBeLessThanOrEqual(deadlineMs)
          const earlier = attempts.filter(({ endpoint }) => endpoint === next.endpoint)
          const kinds = earlier.map(({ fault }) => fault.kind)
          expect(kinds).not.toEqual(expect.arrayContaining([expect.stringMatching(/refused|unable/)]))
          expect(attempts.map(({ fault }) => fault.kind)).not.toEqual(
            expect.arrayContaining([expect.stringMatching(/invalid|closed/)]),
          )
          expect(next.delayMs).toBeGreaterThanOrEqual(0)
          if (earlier.length === 0) expect(next.delayMs).toBe(0)
          if (earlier.at(-1)?.fault.kind !== 'limited') expect(next.delayMs).toBeLessThanOrEqual(DELAY_MS_MAX)
          // A resting endpoint is not called while a healthy one has not been tried.
          const chosen = endpoints[next.endpoint] as Health
          if (chosen.restsUntilMs > nowMs)
            for (const [at, other] of endpoints.entries())
              expect(other.restsUntilMs === 0 && attempts.every(({ endpoint }) => endpoint !== at)).toBe(
                false,
              )
          nowMs += next.delayMs
          attempts.push({ endpoint: next.endpoint, startedMs: nowMs, fault })
          nowMs += Math.min(tookMs, deadlineMs - nowMs)
        }
        expect.unreachable('more attempts than allowed')
      },
    ),
    { numRuns: 500 },
  )
})
