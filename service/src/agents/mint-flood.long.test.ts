import { startChain } from '@slipway/local-chain/testing/start-chain'
import pLimit from 'p-limit'
import { expect, test } from 'vitest'
import type { Config } from '../config.ts'
import type { ConnectionOptions } from '../store/database.ts'
import { isEndurance } from '../testing/endurance.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'
import { configOf, fundedWallet, getJson, land, METADATA, mintBody } from './test-mints.ts'

async function start(config: Partial<Config> = {}) {
  const local = await startChain()
  const service = await startTestService({
    config: { ...configOf(local), trustedProxies: ['loopback'], ...config },
  })
  const wallet = fundedWallet(local)
  async function mintAs(client: string, change: object = {}) {
    const { status, headers, text } = await rawRequest(service.url, '/v1/agents/mint', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
      body: JSON.stringify(mintBody(wallet.address, change)),
    })
    return { status, retryAfter: headers['retry-after'], body: status === 200 ? JSON.parse(text) : undefined }
  }
  async function usage(): Promise<{ count: number; bytes: number }> {
    const { rows } = await runSql(
      service.connection,
      'SELECT count(*)::int AS count, coalesce(sum(length(body)), 0)::int AS bytes FROM documents',
    )
    return rows[0]
  }
  return { ...service, local, wallet, mintAs, usage }
}

/** As if the client had prepared this many documents like the one that the store has. */
const prepareMore = (connection: ConnectionOptions, count: number) =>
  runSql(
    connection,
    `INSERT INTO documents (sha256, network, asset, body, size, client, prepared_at)
     SELECT sha256 || n, network, asset || n, body, size, client, prepared_at
     FROM documents, generate_series(1, ${count}) AS n`,
  )

const inParallel = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> => {
  const limit = pLimit(16)
  return Promise.all(Array.from({ length: count }, (_, at) => limit(() => work(at))))
}

function countByStatus(answers: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('300 unsent mints by one client take bounded space, and others can still mint', async () => {
  const { mintAs, usage, connection } = await start()
  expect((await mintAs('203.0.113.7')).status).toBe(200)
  const prepared = isEndurance ? 1 : 180
  await prepareMore(connection, prepared - 1)
  const counts = countByStatus(await inParallel(300 - prepared, () => mintAs('203.0.113.7')))
  const minted = prepared + (counts[200] ?? 0)
  // Concurrent requests may exceed the limit by one each.
  expect(minted).toBeGreaterThanOrEqual(200)
  expect(minted).toBeLessThan(200 + 16)
  expect(counts).toEqual({ 200: minted - prepared, 429: 300 - minted })
  expect((await usage()).count).toBe(minted)
  expect(await mintAs('203.0.113.7')).toMatchObject({ status: 429, retryAfter: '60' })
  // An IPv6 client has a whole /64.
  expect((await mintAs('203.0.113.8')).status).toBe(200)
  expect((await mintAs('2001:db8::1')).status).toBe(200)
})

test('large documents of one client are bounded by their size', async () => {
  const { mintAs, usage, connection } = await start()
  const large = { agentMetadata: { ...METADATA, x: 'x'.repeat(31_000) } }
  expect((await mintAs('2001:db8::5', large)).status).toBe(200)
  const prepared = isEndurance ? 1 : 50
  await prepareMore(connection, prepared - 1)
  const counts = countByStatus(await inParallel(100 - prepared, () => mintAs('2001:db8::5', large)))
  expect(counts[429]).toBeGreaterThan(10)
  expect((await usage()).bytes).toBeLessThan(2 * 1_024 * 1_024 + 16 * 32_000)
  expect((await mintAs('2001:db8::ffff', large)).status).toBe(429)
  expect((await mintAs('2001:db8:0:1::1', large)).status).toBe(200)
})

test('a flood from many clients fills the store up to its limit, and the oldest make room after ten minutes', async () => {
  const { mintAs, usage, connection } = await start()
  // As if a hundred clients had prepared 200 documents each.
  await runSql(
    connection,
    `INSERT INTO documents (sha256, network, asset, body, size, client, prepared_at)
     SELECT 'flood ' || n, 'chain-mainnet', 'asset ' || n, 'x', 600, 'client ' || n % 100,
       now() - interval '1 millisecond' * (20000 - n)
     FROM generate_series(1, 20000) AS n`,
  )
  expect(await mintAs('203.0.113.7')).toMatchObject({ status: 503, retryAfter: '60' })
  expect((await usage()).count).toBe(20_000)
  await runSql(connection, `UPDATE documents SET prepared_at = prepared_at - interval '10 minutes'`)
  for (let at = 0; at < 20; at += 1) expect((await mintAs('203.0.113.7')).status).toBe(200)
  expect((await usage()).count).toBe(20_000)
  const { rows } = await runSql(connection, `SELECT sha256 FROM documents ORDER BY prepared_at LIMIT 1`)
  expect(rows).toEqual([{ sha256: 'flood 21' }])
  // After an hour they are deleted a thousand at a time.
  await runSql(connection, `UPDATE documents SET prepared_at = prepared_at - interval '1 hour'`)
  expect((await mintAs('203.0.113.7')).status).toBe(200)
  expect((await usage()).count).toBe(19_000)
})

test('a wallet whose documents fill its budget gets 429, other wallets can mint, and the metrics show it', async () => {
  const documentBudgets = { ownerBytesMax: 2_000, devnetBytesMax: Number.POSITIVE_INFINITY }
  const { url, local, wallet, mintAs, metrics } = await start({ documentBudgets })
  for (let at = 0; at < 2; at += 1) {
    const { status, body } = await mintAs('203.0.113.7')
    expect(status).toBe(200)
    expect(await land(local, body, wallet)).toBeNull()
    // Reading the agent claims its document.
    expect((await getJson(`${url}/v1/agents/${body.assetAddress}`)).status).toBe(200)
  }
  expect(await mintAs('203.0.113.7')).toMatchObject({ status: 429, retryAfter: '3600' })
  expect((await mintAs('203.0.113.7', { wallet: fundedWallet(local).address })).status).toBe(200)
  expect(await metrics.registry.metrics()).toContain(
    'slipway_documents_refused_total{network="chain-mainnet",reason="owner-full"} 1',
  )
})
