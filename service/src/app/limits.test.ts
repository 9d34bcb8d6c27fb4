import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PATIENCE, RPC_LIMITS } from '../chain/rpc/limits.ts'
import { INDEXER_LIMITS } from '../indexer/limits.ts'
import { LEASE_LIMITS } from '../store/index-lease.ts'
import { connectionsOfNode, limitsOfWorker, SERVICE_LIMITS } from './limits.ts'

/** A page of the documentation as one line. */
const read = (page: string) =>
  readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')

// Tests replace these limits, so nothing else would notice a wrong default.
describe('the documentation states the limits that apply unless a test replaces them', () => {
  test.each([
    ['operating.md', 'Every request has a time limit of three seconds', SERVICE_LIMITS.requestMs, 3_000],
    ['operating.md', 'or a write takes more than three seconds', SERVICE_LIMITS.statementMs, 3_000],
    ['operating.md', 'with ten seconds between checks', SERVICE_LIMITS.storeProbeMs, 10_000],
    ['operating.md', 'as a call made for a request: 4.8 seconds', RPC_LIMITS.attemptMs * PATIENCE, 4_800],
    ['operating.md', 'is paused for 1 to 30 seconds', RPC_LIMITS.restMsMin, 1_000],
    ['operating.md', 'is paused for 1 to 30 seconds', RPC_LIMITS.restMsMax, 30_000],
    ['operating.md', 'at least every ten seconds while it is in', RPC_LIMITS.checkMsMax, 10_000],
    ['operating.md', 'looks for the account every 20 seconds', INDEXER_LIMITS.removedMs, 20_000],
    [
      'operating.md',
      "hasn't reached a usable RPC endpoint for ten seconds",
      INDEXER_LIMITS.unreadableMs,
      10_000,
    ],
    ['decisions/indexer.md', 'everything is also read once an hour', INDEXER_LIMITS.auditMs, 3_600_000],
    ['decisions/indexer.md', 'a heartbeat every 1.5 seconds', LEASE_LIMITS.heartbeatMs, 1_500],
    ['decisions/indexer.md', 'ends the session after six idle seconds', LEASE_LIMITS.idleMsMax, 6_000],
    ['decisions/indexer.md', 'try to get the lock every second', LEASE_LIMITS.retryMs, 1_000],
  ])('%s: %s', (page, sentence, limit, expected) => {
    expect(read(page)).toContain(sentence)
    expect(limit).toBe(expected)
  })
})

test('the service replaces none of the limits of its parts', () => {
  const { rpc, indexer, lease, events } = SERVICE_LIMITS
  expect([rpc, indexer, lease, events]).toEqual([{}, {}, {}, {}])
})

describe('the limits fit together', () => {
  test('a request learns that the chain or a search failed before its own time is up', () => {
    expect(RPC_LIMITS.totalMs).toBeLessThan(SERVICE_LIMITS.requestMs)
    expect(SERVICE_LIMITS.searchMs).toBeLessThan(SERVICE_LIMITS.requestMs)
  })

  test('a second endpoint has as much time as the first', () => {
    expect(2 * RPC_LIMITS.attemptMs).toBeLessThanOrEqual(RPC_LIMITS.totalMs)
  })

  test('a node that hands over an index leaves the others time to take it, and one that hangs loses it', () => {
    expect(INDEXER_LIMITS.handOverMs).toBeGreaterThan(2 * LEASE_LIMITS.retryMs)
    expect(LEASE_LIMITS.heartbeatMs + LEASE_LIMITS.heartbeatMsMax).toBeLessThan(LEASE_LIMITS.idleMsMax)
  })
})

test("the workers divide the node's limits, but each has enough for the clients that it answers alone", () => {
  expect(limitsOfWorker(1)).toMatchObject({ connections: 10, inFlightMax: 128, search: { perSecond: 3 } })
  expect(limitsOfWorker(2)).toMatchObject({ connections: 5, inFlightMax: 64, search: { perSecond: 1.5 } })
  for (const workers of [16, 64])
    expect(limitsOfWorker(workers)).toMatchObject({
      connections: 3,
      inFlightMax: 32,
      fetch: { slots: 8, slotsBackground: 6, slotsPerSite: 2, slotsPerGateway: 4 },
    })
  const running = [1, 2, 4, 8, 16].map(workers => limitsOfWorker(workers).heavyReads.running)
  expect(running.map(({ all }) => all)).toEqual([8, 4, 2, 1, 1])
  expect(running.map(({ client }) => client)).toEqual([2, 2, 1, 1, 1])
})

test('a node says how many database connections it may need, with one more worker while one is replaced', () => {
  expect([1, 2, 16].map(connectionsOfNode)).toEqual([13, 3 * 8, 17 * 6])
})
