import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { agentMaker } from '@slipway/local-chain/world/create-agent'
import type { Address } from '@slipway/schema/address'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startTestChain, type TestChain } from '../chain/transactions/test-chain.ts'
import { type Config, parseConfig } from '../config.ts'
import { saveAuthoredCard, setVerified } from '../store/agents.ts'
import { runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'

let chain: TestChain
beforeEach(async () => {
  chain = await startTestChain()
})

async function makeAgent({ name = 'On chain', registration = '' }): Promise<Address> {
  const [maker, asset] = [chain.wallet(), createKeypair()]
  const make = agentMaker(chain.chain, maker, maker)
  await make.create(asset, { name, uri: '', collection: undefined })
  await make.register(asset.address, registration.replace('{address}', asset.address))
  return asset.address
}

const start = (config: Partial<Config> = {}) =>
  startTestService({
    config: { rpcUrls: { 'chain-mainnet': [chain.rpcUrl], 'chain-devnet': [] }, ...config },
  })

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the answers
type Json = any

async function getJson(url: string): Promise<{ status: number; body: Json }> {
  const response = await fetch(url)
  return { status: response.status, body: await response.json() }
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a registration that points to this service is the authored card, found without an HTTP request', async () => {
  const asked: unknown[] = []
  const home = await listen((request, response) => {
    asked.push(request.url)
    response.end('{"name":"from outside"}')
  })
  const registration = `http://${home}/v1/agents/{address}/agent-card.json`
  const [written, made] = [await makeAgent({ registration }), await makeAgent({ registration })]
  const elsewhere = await listen((_, response) => {
    response.writeHead(302, { Location: registration.replace('{address}', written) }).end()
  })
  const sentBack = await makeAgent({ registration: `http://${elsewhere}/` })
  const { metadata } = parseConfig({})
  const { url, database, agents } = await start({
    publicUrl: `http://${home}`,
    metadata: { ...metadata, allowHosts: [home, elsewhere] },
  })
  const write = (name: string) =>
    saveAuthoredCard(database, 'chain-mainnet', written, Buffer.from(JSON.stringify({ name })))
  await write('As written')
  expect((await getJson(`${url}/v1/agents/${written}`)).body).toMatchObject({
    name: 'As written',
    agentMetadataUri: registration.replace('{address}', written),
    a2aCard: { name: 'As written' },
  })
  expect((await getJson(`${url}/v1/agents/${sentBack}`)).body).toMatchObject({ name: 'As written' })
  // Without an authored card there is none: a synthesised one would be its own source.
  expect((await getJson(`${url}/v1/agents/${made}`)).body).toMatchObject({ name: 'On chain', a2aCard: null })
  expect((await getJson(`${url}/v1/agents/${made}/agent-card.json`)).status).toBe(404)
  // It is looked up each time, so it is never out of date.
  await write('Written again')
  await agents.refresh('chain-mainnet', written)
  await expect
    .poll(async () => (await getJson(`${url}/v1/agents/${written}`)).body.name)
    .toBe('Written again')
  expect(asked).toEqual([])
})

test('an agent with zero bytes in its name, its URI or its document is readable', async () => {
  const document = JSON.stringify({ name: 'A\0B', more: { 'k\0': 'v\0' }, services: [] })
  const registration = `data:application/json,${encodeURIComponent(document)}`
  const plain = await makeAgent({ name: 'Null~name', registration: 'https://host.invalid/~' })
  const account = chain.chain.account(plain)
  if (!account) throw new Error('no agent')
  const zeroed = Buffer.from(account.data)
  for (const text of ['Null', 'https://host.invalid/']) zeroed[zeroed.indexOf(`${text}~`) + text.length] = 0
  expect(zeroed.includes('Null\0name') && zeroed.includes('invalid/\0')).toBe(true)
  chain.chain.writeAccounts(new Map([[plain, { ...account, data: Uint8Array.from(zeroed) }]]))
  const inside = await makeAgent({ registration })
  const { url, connection } = await start()
  expect(await getJson(`${url}/v1/agents/${plain}`)).toMatchObject({
    status: 200,
    body: { name: 'Nullname', agentMetadataUri: 'https://host.invalid/' },
  })
  expect(await getJson(`${url}/v1/agents/${inside}`)).toMatchObject({ status: 200, body: { name: 'AB' } })
  const { rows } = await runSql(connection, 'SELECT documents::jsonb FROM agents')
  expect(rows).toHaveLength(2)
})

test('stored documents that this version cannot read are fetched again, and until then the chain describes the agent', async () => {
  const registration = `data:application/json,${encodeURIComponent('{"name":"Documented"}')}`
  const address = await makeAgent({ registration })
  const first = await start()
  const name = async (url: string) => (await getJson(`${url}/v1/agents/${address}`)).body.name
  expect(await name(first.url)).toBe('Documented')
  for (const documents of [
    '{"registration":{"value":7}}',
    '{"registration":{"uri":"x"}}',
    'null',
    '{"a":null}',
  ]) {
    await runSql(first.connection, `UPDATE agents SET documents = '${documents}'`)
    const next = await startTestService({
      connection: first.connection,
      config: { rpcUrls: { 'chain-mainnet': [chain.rpcUrl], 'chain-devnet': [] } },
    })
    expect(await name(next.url)).toBe('Documented')
  }
  await runSql(first.connection, `UPDATE agents SET documents = '{"registration":{"uri":"x"}}'`)
  const cut = await startTestService({
    connection: first.connection,
    config: { rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': [] } },
  })
  expect(await name(cut.url)).toBe('On chain')
})

test('a change during a lost connection of the listener is visible once it reconnects', async () => {
  const address = await makeAgent({})
  const { url, database, connection } = await start()
  const verifiedAt = async () => (await getJson(`${url}/v1/agents/${address}`)).body.verifiedAt
  expect(await verifiedAt()).toBeNull()
  await runSql(
    connection,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND query ILIKE 'listen%'`,
  )
  await setVerified(database, 'chain-mainnet', address, true)
  // Sooner than its age would cause a refresh.
  await expect.poll(verifiedAt, { interval: 100 }).toEqual(expect.any(String))
})

test('an agent in memory is answered on the fast path', async () => {
  const address = await makeAgent({})
  const { url, agents } = await start()
  const [peek, get] = [vi.spyOn(agents, 'peek'), vi.spyOn(agents, 'get')]
  const answers = [await getJson(`${url}/v1/agents/${address}`), await getJson(`${url}/v1/agents/${address}`)]
  expect(answers[1]).toEqual(answers[0])
  expect([peek.mock.calls.length, get.mock.calls.length]).toEqual([2, 1])
})
