import {
  type LandedCall,
  TRANSACTION_VERSIONS,
  UnreadableData,
} from '@slipway/launch-model/history/transaction'
import { GENESIS_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { describeLacking } from './caller.ts'
import { RpcError, UNSUPPORTED_VERSION } from './fault.ts'
import { type Behavior, rpcOver, sendJson, startTestNode, type TestNode, testAddress } from './test-node.ts'

const [NEWEST, OLDER] = TRANSACTION_VERSIONS
const SIGNATURE = '2'.repeat(88)
const [payer, account, program] = [1, 2, 3].map(testAddress)

/** A transaction as nodes return it. One of version 1 has its limits and fee in the message's config. */
const transactionOf = (version: 'legacy' | 0 | 1) => ({
  slot: 90,
  blockTime: 1_700_000_000,
  version,
  meta: {
    err: null,
    fee: 5_000,
    innerInstructions: [
      { index: 0, instructions: [{ programIdIndex: 2, accounts: [1], data: '3', stackHeight: 2 }] },
    ],
    preBalances: [10, 0, 1],
    postBalances: [4, 1, 1],
    // Version 1 has no lookup tables.
    loadedAddresses: version === 1 ? null : { writable: [], readonly: [] },
  },
  transaction: {
    signatures: [SIGNATURE],
    message: {
      accountKeys: [payer, account, program],
      header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
      recentBlockhash: testAddress(4),
      instructions: [
        { programIdIndex: 2, accounts: [0, 1], data: '2', ...(version === 1 && { stackHeight: 1 }) },
      ],
      ...(version === 1 && { config: { computeUnitLimit: 200_000, priorityFeeLamports: 5 } }),
    },
  },
})

interface Kept {
  version?: 'legacy' | 0 | 1
  /** The newest version that the node knows, and what it answers to a newer one. */
  knows?: number
  refusal?: number
}

/** Answers as a node that knows transactions up to a version. Undefined: it has not kept the transaction. */
const keeping = (kept: Kept | undefined): Behavior => {
  const { version = 1, knows = 1, refusal = -32602 } = kept ?? {}
  return ({ id, method, params }, response, answer) => {
    if (method !== 'getTransaction') return answer()
    const send = (more: object) => sendJson(response, JSON.stringify({ jsonrpc: '2.0', id, ...more }))
    const { maxSupportedTransactionVersion: asked } = params[1] as { maxSupportedTransactionVersion: number }
    if (asked > knows) return send({ error: { code: refusal, message: 'Invalid params: unknown version' } })
    if (!kept) return send({ result: null })
    const isTooNew = typeof version === 'number' && version > asked
    if (isTooNew)
      return send({ error: { code: UNSUPPORTED_VERSION, message: 'not supported by the requesting client' } })
    send({ result: transactionOf(version) })
  }
}

const versionsAsked = (node: TestNode) =>
  node.calls
    .filter(({ method }) => method === 'getTransaction')
    .map(
      ({ params }) =>
        (params[1] as { maxSupportedTransactionVersion: number }).maxSupportedTransactionVersion,
    )

async function startNodes(...kept: (Kept | undefined)[]) {
  const nodes = await Promise.all(kept.map(() => startTestNode()))
  nodes.forEach((node, at) => {
    node.behave = keeping(kept[at])
  })
  return nodes as [TestNode, ...TestNode[]]
}

test.each(['legacy', 0, 1] as const)('a transaction of version %s is read', async version => {
  const nodes = await startNodes({ version })
  const found = await rpcOver(nodes).rpc.fetchTransaction(SIGNATURE)
  expect(found).toMatchObject({
    slot: 90,
    failed: false,
    calls: [
      { program, accounts: [payer, account], data: Uint8Array.of(1), height: 1 },
      { program, accounts: [account], data: Uint8Array.of(2), height: 2 },
    ],
    created: new Set([account]),
  })
  expect(versionsAsked(nodes[0])).toEqual([NEWEST])
})

test('a transaction of a newer version that a node returns all the same is not read as if it were known', async () => {
  const [node] = await startNodes({})
  const result = { ...transactionOf(1), version: NEWEST + 1 }
  node.behave = ({ id, method }, response, answer) =>
    method === 'getTransaction'
      ? sendJson(response, JSON.stringify({ jsonrpc: '2.0', id, result }))
      : answer()
  let noted = 0
  const { rpc } = rpcOver([node], { observer: { onTooNew: () => (noted += 1) } })
  const failure = await rpc.fetchTransaction(SIGNATURE).catch(error => error)
  expect(failure).toMatchObject({ kind: 'unable', codes: [UNSUPPORTED_VERSION] })
  expect(noted).toBe(1)
})

/** A node whose transaction has 60 calls of a program, each with this data. */
async function startVerbose(called: Address, data: string) {
  const [node] = await startNodes({})
  const { transaction, meta, ...more } = transactionOf(1)
  const call = { programIdIndex: 2, accounts: [0, 1], data, stackHeight: 2 }
  const result = {
    ...more,
    meta: { ...meta, innerInstructions: [{ index: 0, instructions: Array(60).fill(call) }] },
    transaction: {
      ...transaction,
      message: { ...transaction.message, accountKeys: [payer, account, called] },
    },
  }
  node.behave = ({ id, method }, response, answer) =>
    method === 'getTransaction'
      ? sendJson(response, JSON.stringify({ jsonrpc: '2.0', id, result }))
      : answer()
  return node
}

test.each([
  ['of a batch of 10 KiB', TOKEN_PROGRAM, 14_000],
  ['of a batch that is barely read', TOKEN_PROGRAM, 350],
  ['of a call of Genesis with 10 KiB', GENESIS_PROGRAM, 14_000],
  ['of 10 KiB for another program', testAddress(3), 14_000],
])('the data %s, sixty times, costs little to read', async (_, called, length) => {
  const { rpc } = rpcOver([await startVerbose(called, 'z'.repeat(length))])
  const unread = called === TOKEN_PROGRAM ? expect.any(UnreadableData) : called === GENESIS_PROGRAM ? 64 : 0
  const expected = length < 1_000 ? 257 : unread
  const costsMs: number[] = []
  // The first time, the decoder is not compiled yet.
  for (let times = 0; times < 4; times++) {
    const { calls } = await rpc.fetchTransaction(SIGNATURE)
    const before = process.cpuUsage()
    const read = calls.slice(1).map(lengthOf)
    const { user, system } = process.cpuUsage(before)
    costsMs.push((user + system) / 1_000)
    expect(read).toEqual(Array(60).fill(expected))
  }
  // Decoding 10 KiB once takes longer.
  expect(Math.min(...costsMs)).toBeLessThan(30)
})

function lengthOf(call: LandedCall) {
  try {
    return call.data.length
  } catch (error) {
    return error
  }
}

test.each([-32602, -32600])(
  'an endpoint that calls the newest version invalid (%i) is asked for an older one, and is reported once',
  async refusal => {
    const nodes = await startNodes({ version: 0, knows: 0, refusal })
    const { rpc, seen } = rpcOver(nodes)
    for (let times = 0; times < 3; times++)
      expect(await rpc.fetchTransaction(SIGNATURE)).toMatchObject({ slot: 90 })
    expect(versionsAsked(nodes[0])).toEqual([NEWEST, OLDER, OLDER, OLDER])
    expect(seen.lacking).toEqual([{ endpoint: expect.any(String), lacks: 'transactions of version 1' }])
    expect(describeLacking(rpc.states())).toBe('1 endpoint does not support transactions of version 1')
  },
)

test('an endpoint is asked for the newest version again after a while', async () => {
  const nodes = await startNodes({ version: 0, knows: 0 })
  const { rpc, seen } = rpcOver(nodes, { limits: { olderMs: 0 } })
  await rpc.fetchTransaction(SIGNATURE)
  await rpc.fetchTransaction(SIGNATURE)
  expect(seen.lacking).toHaveLength(1)
  nodes[0].behave = keeping({ version: 1 })
  expect(await rpc.fetchTransaction(SIGNATURE)).toMatchObject({ slot: 90 })
  expect(versionsAsked(nodes[0])).toEqual([NEWEST, OLDER, NEWEST, OLDER, NEWEST])
  expect(seen.lacking.at(-1)).toMatchObject({ lacks: undefined })
  expect(describeLacking(rpc.states())).toBe('')
})

test('a request that is invalid in every form says nothing about the versions of an endpoint', async () => {
  const nodes = await startNodes({ knows: -1 })
  const { rpc, seen } = rpcOver(nodes)
  await expect(rpc.fetchTransaction('not a signature')).rejects.toMatchObject({
    kind: 'invalid',
    code: -32602,
  })
  expect(seen.lacking).toEqual([])
})

test('what an endpoint without version 1 can’t give is asked of the next one', async () => {
  const nodes = await startNodes({ knows: 0 }, {})
  const { rpc } = rpcOver(nodes)
  expect(await rpc.fetchTransaction(SIGNATURE)).toMatchObject({ slot: 90 })
  expect(await rpc.fetchTransaction(SIGNATURE)).toMatchObject({ slot: 90 })
  expect(nodes.map(versionsAsked)).toEqual([
    [NEWEST, OLDER, OLDER],
    [NEWEST, NEWEST],
  ])
})

test.each([
  ['does not have it', undefined],
  ['is down', 'down'],
] as const)(
  'an unsupported version is not mistaken for a missing transaction, even if another endpoint %s',
  async (_, other) => {
    const nodes = await startNodes({ knows: 0 }, undefined)
    if (other) (nodes[1] as TestNode).behave = (_, response) => response.destroy()
    const { rpc } = rpcOver(nodes, { limits: { totalMs: 2_000 } })
    const error = await rpc.fetchTransaction(SIGNATURE).catch(error => error)
    expect(error).toBeInstanceOf(RpcError)
    expect(error.codes).toContain(UNSUPPORTED_VERSION)
  },
)
