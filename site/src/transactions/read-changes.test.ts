import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { expect, onTestFinished, test } from 'vitest'
import { readChanges } from './read-changes.ts'

const WALLET = 'FK2y92KH31CCxLNrQu7tW3EMUSpZqRiod5upPgYJXQ9V'
const MINT = 'So11111111111111111111111111111111111111113'

const landed = {
  transaction: { message: { accountKeys: [WALLET, MINT] } },
  meta: {
    err: null,
    fee: 5_000,
    preBalances: [100_000, 1],
    postBalances: [80_000, 1],
    preTokenBalances: [],
    postTokenBalances: [{ mint: MINT, owner: WALLET, uiTokenAmount: { amount: '7' } }],
  },
}

/** A node that has one transaction of a version and knows versions up to another. */
async function startNode({ version, knows }: { version: number; knows: number }) {
  const asked: number[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const [, { maxSupportedTransactionVersion: max }] = JSON.parse(body).params
    asked.push(max)
    const code = max > knows ? -32602 : version > max ? -32015 : undefined
    response.end(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        ...(code ? { error: { code, message: 'no' } } : { result: landed }),
      }),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test.each([
  [{ version: 1, knows: 1 }, [1]],
  [{ version: 0, knows: 0 }, [1, 0]],
])('the changes of a transaction are read from a node with %o', async (node, versions) => {
  const { url, asked } = await startNode(node)
  const changes = await readChanges(url, ['signature'], WALLET)
  expect([...(changes ?? [])]).toEqual([
    [WRAPPED_NATIVE_MINT, -15_000n],
    [MINT, 7n],
  ])
  expect(asked).toEqual(versions)
})

test('changes are unknown if the node can’t return the version of the transaction', async () => {
  const { url } = await startNode({ version: 1, knows: 0 })
  expect(await readChanges(url, ['signature'], WALLET)).toBeUndefined()
})
