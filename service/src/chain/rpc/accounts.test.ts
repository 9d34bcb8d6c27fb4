import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RpcError } from './fault.ts'
import { rpcOver, sendJson, startTestNode, type TestNode, testAddress } from './test-node.ts'

const askedFor = (node: TestNode) => node.calls.map(({ params }) => params[0] as string[])
const addresses = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => testAddress(from + at))

test('reads in the same turn of the event loop share one call, which names each address once', async () => {
  const node = await startTestNode()
  for (const [at, address] of addresses(50).entries()) node.accounts.set(address, `${at}`)
  const { rpc, seen } = rpcOver([node])
  const reads = await Promise.all(
    Array.from({ length: 200 }, (_, at) => rpc.fetchAccounts([testAddress(at % 50), testAddress(99)])),
  )
  expect(node.calls).toHaveLength(1)
  expect(askedFor(node)[0]).toHaveLength(51)
  for (const [at, { slot, accounts }] of reads.entries()) {
    expect(slot).toBe(100)
    expect(accounts).toMatchObject([
      { exists: true, address: testAddress(at % 50), lamports: BigInt(at % 50) },
      { exists: false, address: testAddress(99) },
    ])
  }
  expect(seen.reads).toEqual([[200, 1]])
})

test('reads that begin in different callbacks of one turn share one call', async () => {
  const node = await startTestNode()
  const { rpc } = rpcOver([node])
  const reads = await new Promise<Promise<unknown>[]>(resolve => {
    const begun: Promise<unknown>[] = []
    for (let at = 0; at < 10; at += 1)
      process.nextTick(() =>
        queueMicrotask(() => {
          begun.push(rpc.fetchAccounts([testAddress(at)]))
          if (begun.length === 10) resolve(begun)
        }),
      )
  })
  await Promise.all(reads)
  expect(node.calls).toHaveLength(1)
})

test('a read of 250 addresses makes three calls, keeps their order, and reports the oldest slot', async () => {
  const node = await startTestNode()
  const all = addresses(250)
  for (const [at, address] of all.entries()) node.accounts.set(address, `${at}`)
  node.behave = (_, __, answer) => {
    node.slot += 1
    answer()
  }
  const { rpc } = rpcOver([node])
  const { slot, accounts } = await rpc.fetchAccounts([...all].reverse())
  expect(askedFor(node).map(({ length }) => length)).toEqual([100, 100, 50])
  expect(accounts.map(account => account.exists && account.lamports)).toEqual(
    all.map((_, at) => BigInt(249 - at)),
  )
  expect(slot).toBe(101)
})

test('a read of up to a hundred accounts is never split, so all of them are as of one slot', async () => {
  const node = await startTestNode()
  const { rpc } = rpcOver([node])
  await Promise.all([0, 60, 120].map(from => rpc.fetchAccounts(addresses(60, from))))
  expect(askedFor(node).map(({ length }) => length)).toEqual([60, 60, 60])
})

test('a repeated address is sent once, and a read without addresses makes no call', async () => {
  const node = await startTestNode()
  const { rpc } = rpcOver([node])
  expect(await rpc.fetchAccounts([])).toEqual({ slot: 0, accounts: [] })
  expect(node.calls).toHaveLength(0)
  const { accounts } = await rpc.fetchAccounts(Array.from({ length: 300 }, () => testAddress(1)))
  expect(accounts).toHaveLength(300)
  expect(askedFor(node)).toEqual([[testAddress(1)]])
  expect(await rpc.fetchAccounts([])).toEqual({ slot: 100, accounts: [] })
})

test('a read never joins a call that has been sent, because the answer may be older than the read', async () => {
  const node = await startTestNode()
  const address = testAddress(1)
  node.accounts.set(address, '1')
  node.behave = (_, __, answer) => {
    // Answers late, with the state at the time of the call.
    const before = new Map(node.accounts)
    setTimeout(() => {
      const now = node.accounts
      node.accounts = before
      answer()
      node.accounts = now
    }, 200)
  }
  const { rpc } = rpcOver([node])
  const early = rpc.fetchAccounts([address])
  await expect.poll(() => node.calls.length).toBe(1)
  node.accounts.set(address, '2')
  const late = rpc.fetchAccounts([address])
  expect((await early).accounts).toMatchObject([{ lamports: 1n }])
  expect((await late).accounts).toMatchObject([{ lamports: 2n }])
})

test('a failed call rejects every read that shares it, and no later read', async () => {
  const node = await startTestNode()
  const unhandled: unknown[] = []
  const onUnhandled = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', onUnhandled)
  node.behave = ({ id }, response) =>
    sendJson(response, `{"id":${id},"error":{"code":-32602,"message":"no"}}`)
  const { rpc } = rpcOver([node])
  const reads = await Promise.allSettled([
    ...addresses(20).map(address => rpc.fetchAccounts([address])),
    rpc.fetchAccounts(addresses(450)),
  ])
  expect(new Set(reads.map(({ status }) => status))).toEqual(new Set(['rejected']))
  for (const read of reads) expect(((read as PromiseRejectedResult).reason as RpcError).code).toBe(-32602)
  node.behave = (_, __, answer) => answer()
  expect((await rpc.fetchAccounts(addresses(2))).accounts).toHaveLength(2)
  await sleep(20)
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

test('only the first 64 KiB of an account are fetched', async () => {
  const node = await startTestNode()
  const { rpc } = rpcOver([node])
  await rpc.fetchAccounts([testAddress(1)])
  expect(node.calls[0]?.params[1]).toEqual({
    commitment: 'confirmed',
    encoding: 'base64',
    dataSlice: { offset: 0, length: 65_536 },
  })
})

test('however reads are batched, each gets the accounts that it asked for', async () => {
  const node = await startTestNode()
  for (const [at, address] of addresses(300).entries()) if (at % 3) node.accounts.set(address, `${at}`)
  const { rpc } = rpcOver([node])
  const read = fc.array(fc.nat(299), { maxLength: 230 })
  await fc.assert(
    fc.asyncProperty(fc.array(read, { minLength: 1, maxLength: 12 }), async reads => {
      const answers = await Promise.all(reads.map(numbers => rpc.fetchAccounts(numbers.map(testAddress))))
      expect(
        answers.map(({ accounts }) =>
          accounts.map(account => (account.exists ? account.lamports : account.address)),
        ),
      ).toEqual(reads.map(numbers => numbers.map(at => (at % 3 ? BigInt(at) : testAddress(at)))))
      expect(askedFor(node).every(({ length }) => length <= 100)).toBe(true)
    }),
    { numRuns: 50 },
  )
})
