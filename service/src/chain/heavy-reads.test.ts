import { addressBytes } from '@slipway/launch-model/bytes/base58'
import { TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import type { ServiceError } from '@slipway/schema/errors'
import { expect, test } from 'vitest'
import { addressOf } from '../testing/launch-rows.ts'
import { createHeavyReads, createHeldTokens } from './heavy-reads.ts'
import { rpcOver, sendJson, startTestNode, testAddress } from './rpc/test-node.ts'

const WALLET = addressOf('wallet')
const mintOf = (at: number) => testAddress(1_000_000 + at)

const entryOf = (at: number, { mint = mintOf(at), holder = WALLET, owner = TOKEN_PROGRAM } = {}) => {
  const data = Buffer.alloc(165)
  data.set(addressBytes(mint), 0)
  data.set(addressBytes(holder), 32)
  data.writeBigUInt64LE(1n, 64)
  return { data, owner, pubkey: testAddress(at) }
}

/** A node that lists so many accounts, with one unit of another token in each. */
async function startCrowdedNode(count: number, more: ReturnType<typeof entryOf>[] = []) {
  const node = await startTestNode()
  const entries = [...Array.from({ length: count }, (_, at) => entryOf(at)), ...more]
  const sent = { calls: 0, bytes: 0, slices: new Set<number>(), isDown: false }
  node.behave = ({ id, method, params }, response, answer) => {
    if (method !== 'getTokenAccountsByOwner') return answer()
    sent.calls += 1
    const error = { code: -32_010, message: 'no such index' }
    if (sent.isDown) return sendJson(response, JSON.stringify({ jsonrpc: '2.0', error, id }))
    const [, { programId }, { dataSlice }] = params as [
      string,
      { programId: string },
      { dataSlice: { offset: number; length: number } },
    ]
    sent.slices.add(dataSlice.length)
    const value = (programId === TOKEN_PROGRAM ? entries : []).map(({ data, owner, pubkey }) => {
      const bytes = data.subarray(dataSlice.offset, dataSlice.length).toString('base64')
      const account = { data: [bytes, 'base64'], executable: false, lamports: 1, owner, space: 165 }
      return { account, pubkey }
    })
    const body = JSON.stringify({ jsonrpc: '2.0', result: { context: { slot: node.slot }, value }, id })
    sent.bytes += body.length
    // A caller that has enough hangs up.
    response.on('error', () => {})
    sendJson(response, body)
  }
  return { node, sent }
}

test("a wallet's token accounts are read once in five seconds, and only the bytes that are shown", async () => {
  const { node, sent } = await startCrowdedNode(1_000)
  let nowMs = 0
  const heldTokens = createHeldTokens(
    { rpc: rpcOver([node]).rpc, heavyReads: createHeavyReads() },
    () => nowMs,
  )
  const read = (ageMsMax = 5_000) => heldTokens(WALLET, { client: 'client', ageMsMax })
  const [first, shared] = await Promise.all([read(), read()])
  nowMs += 5_000
  expect([shared, await read()]).toEqual([first, first])
  expect(sent.calls).toBe(2)
  expect(first).toMatchObject({ slot: node.slot, truncated: false })
  expect(new Set(first.tokens.map(({ mint }) => mint))).toEqual(
    new Set(Array.from({ length: 1_000 }, (_, at) => mintOf(at))),
  )
  expect([...sent.slices]).toEqual([109])
  // A caller who accepts no older reading gets a new one.
  await read(4_999)
  expect(sent.calls).toBe(4)
})

test('of 5,000 accounts no more is read than is looked at, and the reading says that it was cut', async () => {
  const { node, sent } = await startCrowdedNode(5_000)
  const { rpc, seen } = rpcOver([node])
  const heldTokens = createHeldTokens({ rpc, heavyReads: createHeavyReads() })
  const read = await heldTokens(WALLET, { client: 'client', ageMsMax: 0 })
  expect(read).toMatchObject({ slot: node.slot, truncated: true })
  expect(read.tokens).toHaveLength(1_000)
  expect(sent.bytes).toBeGreaterThan(1_000_000)
  const { accounts } = await rpc.fetchTokenAccounts(WALLET, { programId: TOKEN_PROGRAM }, 109)
  expect(accounts.length).toBeGreaterThan(1_000)
  expect(accounts.length).toBeLessThan(2_000)
  // It says nothing about the endpoint.
  expect(seen.attempts.map(({ outcome }) => outcome)).toEqual(seen.attempts.map(() => 'ok'))
  expect(rpc.states()).toMatchObject([{ isUp: true }])
})

test("tokens of another holder or program are not the wallet's, whatever a node says", async () => {
  const strange = [entryOf(1, { holder: addressOf('stranger') }), entryOf(2, { owner: addressOf('program') })]
  const { node } = await startCrowdedNode(1, strange)
  const heldTokens = createHeldTokens({ rpc: rpcOver([node]).rpc, heavyReads: createHeavyReads() })
  const { tokens } = await heldTokens(WALLET, { client: 'client', ageMsMax: 0 })
  expect(tokens.map(({ mint }) => mint)).toEqual([mintOf(0)])
})

test('a failure is shared by those who wait for it, and not kept', async () => {
  const { node, sent } = await startCrowdedNode(1)
  const heldTokens = createHeldTokens({ rpc: rpcOver([node]).rpc, heavyReads: createHeavyReads() })
  const read = () => heldTokens(WALLET, { client: 'client', ageMsMax: 5_000 })
  sent.isDown = true
  const failures = await Promise.allSettled([read(), read()])
  expect(failures[1]).toEqual(failures[0])
  expect(failures[0]).toMatchObject({ status: 'rejected', reason: { kind: 'unable' } })
  sent.isDown = false
  expect(await read()).toMatchObject({ truncated: false, tokens: [{ mint: mintOf(0) }] })
})

test('each client and the whole node have a limit, and one client’s refusal affects no other', async () => {
  const limits = { running: { all: 3, client: 2 }, places: { all: 5, client: 3 } }
  const heavyReads = createHeavyReads(limits)
  let running = 0
  let runningMost = 0
  let finish = () => {}
  const finished = new Promise<void>(resolve => {
    finish = resolve
  })
  const ask = (client: string) =>
    heavyReads
      .run(client, async () => {
        running += 1
        runningMost = Math.max(runningMost, running)
        await finished
        running -= 1
        return 'read'
      })
      .catch(error => (error as ServiceError).code)
  const answers = ['first', 'first', 'first', 'first', 'second', 'third', 'third'].map(ask)
  await new Promise(resolve => setImmediate(resolve))
  expect(running).toBe(3)
  finish()
  expect(await Promise.all(answers)).toEqual([
    ...Array(3).fill('read'),
    'TOO_MANY_REQUESTS',
    'read',
    'read',
    'SERVICE_UNAVAILABLE',
  ])
  expect(runningMost).toBe(3)
  expect(await Promise.all(['first', 'third'].map(ask))).toEqual(['read', 'read'])
})

test('500 clients of one /48 take a share of the places and of what runs, and another client runs beside them', async () => {
  const reads = createHeavyReads({ places: { all: 12, client: 8 }, running: { all: 2, client: 1 } })
  let finish = () => {}
  const held = new Promise<void>(resolve => (finish = resolve))
  const clients = Array.from({ length: 500 }, (_, at) => `2001:db8:1:${at.toString(16)}::/64`)
  const taken = Promise.allSettled(clients.map(client => reads.run(client, () => held)))
  let runs = false
  const other = reads.run('192.0.2.7', async () => {
    runs = true
  })
  await new Promise(resolve => setImmediate(resolve))
  expect(runs).toBe(true)
  finish()
  expect((await taken).filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  await other
  await Promise.all(clients.slice(0, 4).map(client => reads.run(client, () => held)))
})
