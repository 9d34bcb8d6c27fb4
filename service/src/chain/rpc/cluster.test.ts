import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClusterIdentity } from './cluster.ts'
import { createSlotMark } from './slot-mark.ts'
import {
  OTHER_CLUSTER,
  OUR_CLUSTER,
  rpcOver,
  startTestNode,
  type TestNode,
  testAddress,
} from './test-node.ts'

const address = testAddress(1)
const ours = { expectedHash: async () => OUR_CLUSTER as string }
const methods = (node: TestNode) => node.calls.map(({ method }) => method)
const checks = (node: TestNode) => methods(node).filter(method => method === 'getGenesisHash').length

const realNow = performance.now.bind(performance)

/** Moves the clock that checks use. Sockets and timers are not affected. */
function moveClock(ms: number) {
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms)
  onTestFinished(() => spy.mockRestore())
}

describe('an endpoint', () => {
  test('is checked before its first use', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node], { cluster: ours })
    await rpc.fetchSlot()
    expect(methods(node)).toEqual(['getGenesisHash', 'getSlot'])
  })

  test('that belongs to another cluster is never asked anything else, and the next one answers', async () => {
    const [foreign, node] = [await startTestNode(), await startTestNode()]
    foreign.genesisHash = OTHER_CLUSTER
    const { rpc, seen } = rpcOver([foreign, node], { cluster: ours })
    node.accounts.set(address, '7')
    expect(await rpc.fetchAccounts([address])).toMatchObject({ accounts: [{ lamports: 7n }] })
    await rpc.fetchSlot()
    expect(methods(foreign)).toEqual(['getGenesisHash'])
    const expected = { genesisHash: OTHER_CLUSTER, expected: OUR_CLUSTER }
    expect(seen.clusters).toEqual([{ endpoint: `127.0.0.1:${foreign.port}`, foreign: expected }])
    expect(rpc.states().map(({ isUp, foreign: other }) => [isUp, other])).toEqual([
      [false, expected],
      [true, undefined],
    ])
  })

  test('that switches to another cluster is noticed within ten seconds of use, and its slots are forgotten', async () => {
    const node = await startTestNode()
    const mark = createSlotMark()
    const { rpc } = rpcOver([node], { cluster: ours, mark })
    await rpc.fetchSlot()
    node.genesisHash = OTHER_CLUSTER
    node.slot = 105
    expect(await rpc.fetchSlot()).toBe(105)
    moveClock(10_001)
    await expect(rpc.fetchSlot()).rejects.toMatchObject({ kind: 'foreign' })
    expect(mark.slot()).toBe(0)
  })

  test('that switches to another cluster far ahead is noticed at once', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node], { cluster: ours })
    await rpc.fetchSlot()
    node.genesisHash = OTHER_CLUSTER
    node.slot = 600
    await expect(rpc.fetchSlot()).rejects.toMatchObject({ kind: 'foreign' })
    node.genesisHash = OUR_CLUSTER
    node.slot = 101
    expect(await rpc.fetchSlot()).toBe(101)
  })

  test('that leads to another cluster between two checks does not hold up later calls', async () => {
    const node = await startTestNode()
    const { rpc, seen } = rpcOver([node], { cluster: ours })
    await rpc.fetchSlot()
    // A load balancer sends one request to another cluster, and the check after it to ours.
    node.behave = ({ method }, _, answer) => {
      if (method === 'getSlot') node.slot = 600
      answer()
      node.slot = 101
      node.behave = (_, __, answer) => answer()
    }
    expect(await rpc.fetchSlot()).toBe(101)
    expect(await rpc.fetchSlot()).toBe(101)
    expect(seen.attempts.map(({ outcome }) => outcome)).not.toContain('lagging')
  })

  test('in steady use is checked in the background, so that no call waits for it', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node], { cluster: ours })
    await rpc.fetchSlot()
    for (let second = 1; second <= 20; second += 1) {
      moveClock(second * 1_000)
      await rpc.fetchSlot()
    }
    expect(checks(node)).toBeGreaterThanOrEqual(3)
    expect(checks(node)).toBeLessThanOrEqual(5)
  })

  test('is checked again after a rest, and used again if it belongs to our cluster', async () => {
    const node = await startTestNode()
    const { rpc, seen } = rpcOver([node], { cluster: ours })
    await rpc.fetchSlot()
    node.behave = (_, response) => response.writeHead(503).end()
    await rpc.fetchSlot().catch(() => {})
    node.behave = (_, __, answer) => answer()
    node.genesisHash = OTHER_CLUSTER
    await expect(rpc.fetchSlot()).rejects.toMatchObject({ kind: 'foreign' })
    node.genesisHash = OUR_CLUSTER
    expect(await rpc.fetchSlot()).toBe(100)
    expect(seen.clusters.map(({ foreign }) => foreign?.genesisHash)).toEqual([OTHER_CLUSTER, undefined])
  })

  test('cannot be used while the store that records the cluster is unreachable, unless it was reached before', async () => {
    const node = await startTestNode()
    let isAway = true
    const cluster = createClusterIdentity({
      async find() {
        if (isAway) throw new Error('away')
        return OUR_CLUSTER
      },
      record: async hash => hash,
      sample: async () => [],
    })
    const { rpc } = rpcOver([node], { cluster })
    await expect(rpc.fetchSlot()).rejects.toMatchObject({ kind: 'unchecked' })
    isAway = false
    expect(await rpc.fetchSlot()).toBe(100)
    isAway = true
    moveClock(20_000)
    expect(await rpc.fetchSlot()).toBe(100)
  })
})

describe('a store without a recorded hash', () => {
  const stored = [testAddress(1), testAddress(2)]

  test('records the hash of the first endpoint if it has the stored accounts, or if there are none', async () => {
    const node = await startTestNode()
    for (const accounts of [[], stored]) {
      let recorded: string | undefined
      const cluster = createClusterIdentity({
        find: async () => recorded,
        record: async hash => {
          recorded ??= hash
          return recorded
        },
        sample: async () => accounts,
      })
      for (const account of accounts) node.accounts.set(account, '1')
      await rpcOver([node], { cluster }).rpc.fetchSlot()
      expect(recorded).toBe(OUR_CLUSTER)
    }
  })

  test('records nothing from an endpoint that lacks the stored accounts, and does not use it', async () => {
    const [wrong, right] = [await startTestNode(), await startTestNode()]
    wrong.genesisHash = OTHER_CLUSTER
    for (const account of stored) right.accounts.set(account, '1')
    const recorded: string[] = []
    const cluster = createClusterIdentity({
      find: async () => recorded[0],
      async record(hash) {
        recorded.push(hash)
        return hash
      },
      sample: async () => stored,
    })
    const { rpc } = rpcOver([wrong, right], { cluster })
    expect(await rpc.fetchSlot()).toBe(100)
    expect(recorded).toEqual([OUR_CLUSTER])
    expect(rpc.states()[0]?.foreign).toMatchObject({ genesisHash: OTHER_CLUSTER })
  })
})

test('all nodes of a deployment learn of a cluster that an operator accepted, and forget the former slots', async () => {
  const node = await startTestNode()
  let remembered = OUR_CLUSTER as string
  const mark = createSlotMark()
  const cluster = createClusterIdentity({
    find: async () => remembered,
    record: async hash => hash,
    sample: async () => [],
  })
  const { rpc } = rpcOver([node], { cluster, mark })
  rpc.noteSlot(1_000, new Date())
  node.slot = 1_000
  await rpc.fetchSlot()
  remembered = OTHER_CLUSTER
  node.genesisHash = OTHER_CLUSTER
  node.slot = 5
  moveClock(11_000)
  await rpc.fetchSlot().catch(() => {})
  expect(await rpc.fetchSlot()).toBe(5)
})

describe('confirming the cluster', () => {
  test('checks every endpoint that answered since then, after its answer, and many callers share a check', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node], { cluster: ours })
    const sinceMs = performance.now()
    await Promise.all(Array.from({ length: 50 }, () => rpc.fetchSlot()))
    const before = checks(node)
    await Promise.all(Array.from({ length: 50 }, () => rpc.confirmCluster(sinceMs)))
    expect(checks(node) - before).toBe(1)
    // Nothing was read since the last check.
    await rpc.confirmCluster(sinceMs)
    expect(checks(node) - before).toBe(1)
  })

  test('fails if an endpoint that answered belongs to another cluster by now', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node], { cluster: ours })
    const sinceMs = performance.now()
    await rpc.fetchSlot()
    node.genesisHash = OTHER_CLUSTER
    await expect(rpc.confirmCluster(sinceMs)).rejects.toMatchObject({ kind: 'foreign' })
  })

  test('fails if the endpoint can no longer be checked', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node], { cluster: ours })
    const sinceMs = performance.now()
    await rpc.fetchSlot()
    await node.stop()
    await expect(rpc.confirmCluster(sinceMs)).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('is not disturbed by a connection that was closed while idle', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node], { cluster: ours })
    const sinceMs = performance.now()
    await rpc.fetchSlot()
    let isFirst = true
    node.behave = (_, response, answer) => {
      if (isFirst) response.socket?.destroy()
      else answer()
      isFirst = false
    }
    await rpc.confirmCluster(sinceMs)
  })

  test('skips endpoints that have not answered since then', async () => {
    const [first, second] = [await startTestNode(), await startTestNode()]
    const { rpc } = rpcOver([first, second], { cluster: ours })
    await rpc.fetchSlot()
    second.genesisHash = OTHER_CLUSTER
    await sleep(5)
    const sinceMs = performance.now()
    await rpc.fetchSlot()
    await rpc.confirmCluster(sinceMs)
    expect(checks(second)).toBe(0)
  })
})

describe('confirming that accounts are missing', () => {
  const [there, gone] = [testAddress(1), testAddress(2)]

  test('asks every endpoint at finalized, after checking it in the same call', async () => {
    const nodes = [await startTestNode(), await startTestNode()]
    for (const node of nodes) node.accounts.set(there, '1')
    const { rpc } = rpcOver(nodes, { cluster: ours })
    await rpc.fetchSlot()
    const before = nodes.map(checks)
    expect(await rpc.confirmMissing([there, gone])).toEqual({ missing: [gone], found: [there], slot: 100 })
    for (const [at, node] of nodes.entries()) {
      expect(checks(node) - (before[at] ?? 0)).toBe(1)
      expect(node.calls.at(-1)?.params[1]).toMatchObject({ commitment: 'finalized' })
    }
  })

  test('finds an account that one endpoint has, and no longer calls the one that lacks it', async () => {
    const [incomplete, node] = [await startTestNode(), await startTestNode()]
    node.accounts.set(there, '1')
    const { rpc } = rpcOver([incomplete, node], { cluster: ours })
    expect((await rpc.fetchAccounts([there])).accounts[0]?.exists).toBe(false)
    expect(await rpc.confirmMissing([there])).toMatchObject({ missing: [], found: [there] })
    expect((await rpc.fetchAccounts([there])).accounts[0]?.exists).toBe(true)
  })

  test('does not blame an endpoint that is ahead of the one that still has the account', async () => {
    const [ahead, behind] = [await startTestNode(), await startTestNode()]
    ahead.slot = 103
    behind.accounts.set(there, '1')
    const { rpc } = rpcOver([ahead, behind], { cluster: ours })
    expect(await rpc.confirmMissing([there])).toMatchObject({ found: [there], slot: 100 })
    expect(rpc.states().map(({ isUp }) => isUp)).toEqual([true, true])
  })

  test('counts an account that is not the expected one as missing', async () => {
    const node = await startTestNode()
    node.accounts.set(there, '1')
    const { rpc } = rpcOver([node], { cluster: ours })
    expect(await rpc.confirmMissing([there], () => false)).toMatchObject({ missing: [there] })
  })

  test('trusts a single endpoint if no other belongs to our cluster', async () => {
    const [node, foreign] = [await startTestNode(), await startTestNode()]
    foreign.genesisHash = OTHER_CLUSTER
    foreign.accounts.set(gone, '1')
    expect(await rpcOver([node], { cluster: ours }).rpc.confirmMissing([gone])).toMatchObject({
      missing: [gone],
    })
    const { rpc } = rpcOver([node, foreign], { cluster: ours })
    expect(await rpc.confirmMissing([gone])).toMatchObject({ missing: [gone] })
  })

  test('fails if only one of two endpoints answers, or none does', async () => {
    const [node, down] = [await startTestNode(), await startTestNode()]
    const { rpc } = rpcOver([node, down], { cluster: ours })
    await down.stop()
    await expect(rpc.confirmMissing([gone])).rejects.toMatchObject({ kind: 'unchecked' })
    node.genesisHash = OTHER_CLUSTER
    await expect(rpc.confirmMissing([gone])).rejects.toMatchObject({ kind: 'unchecked' })
  })

  test('does not trust an endpoint that is far behind', async () => {
    const node = await startTestNode()
    const { rpc } = rpcOver([node], { cluster: ours })
    rpc.noteSlot(5_000, new Date())
    node.ignoresMinContextSlot = true
    await expect(rpc.confirmMissing([gone])).rejects.toMatchObject({ kind: 'unchecked' })
    node.slot = 4_950
    expect(await rpc.confirmMissing([gone])).toMatchObject({ missing: [gone], slot: 4_950 })
  })
})
