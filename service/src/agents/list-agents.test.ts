import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { identityAddress } from '@slipway/launch-model/addresses'
import { AgentRecord } from '@slipway/schema/agent-record'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { saveAgent, saveAuthoredCard, setVerified } from '../store/agents.ts'
import { setAgentHidden, setAgentSpotlight } from '../store/curated-agents.ts'
import { agentRow } from '../testing/agent-rows.ts'
import { useDemo } from '../testing/demo.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { startTestService, useTestService } from '../testing/test-service.ts'
import { listedDisplay } from './describe-agent.ts'
import { EXAMPLE_CARD } from './examples.ts'
import { getJson, type Json } from './test-mints.ts'

const world = useDemo()
const network = 'chain-mainnet'

const registered = () =>
  world.chainOf().world.agents.filter(({ entry }) => entry.identity !== 'none' && !entry.burnt)

const service = useTestService(() => ({ config: { ...world.config(), indexer: true } }))
const list = (query = '') => getJson(`${service().url}/v1/agents${query}`)
const names = async (query = '') => (await list(query)).body.data.agents.map(({ name }: Json) => name)

/** For all tests, each of which leaves the agents as it found them. There was no request for any of their documents. */
beforeAll(async () => {
  const readable = registered().filter(({ entry }) => ['rich', 'minimal', 'inline'].includes(entry.document))
  const complete = async () => {
    const { agents } = (await list('?pageSize=100')).body.data
    const count = (name: string) => agents.filter((record: Json) => record[name]).length
    return [count('metadata'), count('registrationSignature')]
  }
  await vi.waitFor(async () => expect(await complete()).toEqual([readable.length, registered().length]), {
    timeout: 60_000,
  })
})

test('the list has every registered agent with the fields of the contract, without an earlier request for it', async () => {
  const { database } = service()
  const { address, owner, wallet, token } = world.agent('patchbot')
  await setVerified(database, network, address, true)
  onTestFinished(() => setVerified(database, network, address, false).then(() => {}))
  const { status, headers, body } = await list()
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('public, max-age=5')
  expect(body).toMatchObject({
    success: true,
    data: { total: registered().length, page: 1, pageSize: 24, totalPages: 1 },
  })
  for (const record of body.data.agents) expect(Object.keys(AgentRecord.parse(record))).toEqual(FIELDS)
  expect(body.data.agents.map(({ mintAddress }: Json) => mintAddress).sort()).toEqual(
    registered()
      .map(agent => agent.address)
      .sort(),
  )
  const record = body.data.agents.find(({ mintAddress }: Json) => mintAddress === address)
  expect(Object.keys(record)).toEqual(FIELDS)
  expect(record).toMatchObject({
    network,
    name: 'Patchbot',
    walletAddress: wallet,
    owner: owner.address,
    agentToken: token,
    agentMetadataUri: expect.stringContaining('/registrations/patchbot.json'),
    metadata: { name: 'Patchbot', services: expect.any(Array), type: expect.stringContaining('eip-8004') },
    a2aCard: { name: 'Patchbot' },
    isActive: true,
    spotlightedAt: null,
    verifiedAt: expect.stringMatching(/Z$/),
  })
})

const FIELDS = [
  'mintAddress',
  'network',
  'name',
  'description',
  'image',
  'walletAddress',
  'authority',
  'owner',
  'agentToken',
  'agentMetadataUri',
  'metadata',
  'a2aCard',
  'isActive',
  'registrationSignature',
  'indexedAt',
  'spotlightedAt',
  'verifiedAt',
  'createdAt',
  'updatedAt',
  'delegates',
]

test('an agent whose document cannot be fetched is listed as the chain describes it', async () => {
  const { address, entry } = world.agent('ghostwriter')
  const { body } = await list('?pageSize=100')
  expect(body.data.agents.find(({ mintAddress }: Json) => mintAddress === address)).toMatchObject({
    name: entry.name,
    metadata: null,
    a2aCard: null,
    isActive: true,
  })
})

test('the registration signature is that of the transaction that created the identity', async () => {
  const { body } = await list('?pageSize=100')
  for (const { mintAddress, registrationSignature, createdAt } of body.data.agents) {
    const response = await fetch(world.chainOf().local.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'getSignaturesForAddress',
        params: [identityAddress(mintAddress)],
      }),
    })
    const { result } = (await response.json()) as Json
    expect(registrationSignature).toBe(result.at(-1).signature)
    expect(Date.parse(createdAt)).toBe(result.at(-1).blockTime * 1_000)
  }
})

test('filters, sort and pages', async () => {
  const { database } = service()
  onTestFinished(async () => {
    await setAgentSpotlight(database, network, world.agent('tidewatch').address, false)
    await setVerified(database, network, world.agent('tidewatch').address, false)
  })
  const all = await names('?pageSize=100')
  expect(await names('?pageSize=5&page=2&sort=oldest')).toEqual(all.toReversed().slice(5, 10))
  const past = await list('?page=999999999999999')
  expect(past.body.data).toEqual({
    agents: [],
    total: all.length,
    page: 999999999999999,
    pageSize: 24,
    totalPages: 1,
  })

  const withToken = registered().filter(({ token }) => token)
  expect((await list('?hasAgentToken=true')).body.data.total).toBe(withToken.length)
  const services = (await list('?hasServices=true&pageSize=100')).body.data
  expect(services.total).toBeGreaterThan(0)
  expect(services.agents.every(({ metadata }: Json) => metadata.services.length > 0)).toBe(true)
  expect((await list('?activeOnly=true')).body.data.total).toBe(all.length)

  await setAgentSpotlight(database, network, world.agent('tidewatch').address, true)
  expect(await names('?spotlight=true')).toEqual(['Tidewatch'])
  expect((await list('?spotlight=true')).body.data.agents[0].spotlightedAt).toMatch(/Z$/)
  expect(await names('?spotlight=true&hasAgentToken=true')).toEqual([])
  await setVerified(database, network, world.agent('tidewatch').address, true)
  expect(await names('?spotlight=true&verified=true&hasServices=true&activeOnly=true')).toEqual(['Tidewatch'])
  const owner = world.agent('patchbot').owner.address
  const owned = registered().filter(agent => agent.owner.address === owner)
  const byOwner = await list(`?owner=${owner}&sort=oldest&pageSize=1`)
  expect(byOwner.body.data).toMatchObject({ agents: [{ owner }], total: owned.length })
  expect(await names(`?owner=${owner}&query=patchbt`)).toEqual(['Patchbot'])
  expect(await names(`?owner=${owner}&query=tidewatch&hasAgentToken=true`)).not.toContain('Tidewatch')
  expect(await names(`?owner=${owner}&hasAgentToken=false`)).not.toContain('Patchbot')
  expect(await names(`?owner=${world.agent('patchbot').address}`)).toEqual([])
  expect((await list('?network=chain-devnet')).status).toBe(200)
  expect((await list('?network=&query=%20')).body.data.total).toBe(all.length)
})

test('a document that says active: false makes the agent inactive', async () => {
  const { connection, database } = await createTestDatabase()
  const registration = { uri: 'x', value: { name: 'Asleep', services: [] }, fields: { active: false } }
  const row = agentRow('Asleep', { agentUri: 'x', documents: { registration } })
  await saveAgent(database, row, listedDisplay(row))
  const { url } = await startTestService({ connection, config: world.config() })
  const { body } = await getJson(`${url}/v1/agents`)
  expect(body.data.agents).toMatchObject([{ name: 'Asleep', isActive: false }])
  expect((await getJson(`${url}/v1/agents?activeOnly=true`)).body.data.agents).toEqual([])
})

test('examples/find.js finds a misspelt agent, and counts all', async () => {
  const { url } = service()
  const example = fileURLToPath(new URL('../../../examples/find.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [example, 'tidewtch'], {
    env: { ...process.env, SLIPWAY_URL: url },
  })
  const { address } = world.agent('tidewatch')
  expect(stdout).toContain(`agent matches "tidewtch"\n${address}  Tidewatch: `)
  expect(stdout).toContain(`${registered().length} agents are registered\n`)
})

test('an authored card is shown in the list', async () => {
  const { database } = service()
  const { address } = world.agent('tidewatch')
  onTestFinished(() => runSql(service().connection, 'DELETE FROM authored_cards').then(() => {}))
  const before = (await list('?query=tidewatch')).body.data.agents[0]
  await saveAuthoredCard(database, network, address, Buffer.from(JSON.stringify(EXAMPLE_CARD)))
  const after = (await list('?query=tidewatch')).body.data.agents[0]
  expect(after.a2aCard).toEqual(EXAMPLE_CARD)
  expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
})

const INVALID = [
  '?page=0',
  '?page=-1',
  '?page=1.5',
  '?page=1e3',
  '?page=x',
  '?page=1&page=2',
  '?page=9999999999999999',
  '?pageSize=0',
  '?pageSize=101',
  '?pageSize=ten',
  '?owner=junk',
  '?sort=best',
  '?sort=latest&sort=oldest',
  '?network=nowhere',
  '?activeOnly=yes',
  '?hasAgentToken=1',
  '?hasServices=TRUE',
  '?spotlight=maybe',
  '?verified[]=true',
  `?query=${'x'.repeat(201)}`,
  `?query=${'x'.repeat(5_000)}`,
]

test('an invalid parameter is refused', async () => {
  const { url } = service()
  for (const query of INVALID) {
    const { status, body } = await getJson(`${url}/v1/agents${query}`)
    expect({ query, status, body }).toEqual({
      query,
      status: 400,
      body: { success: false, error: 'Invalid input data' },
    })
  }
})

test('hostile searches are answered like any other', async () => {
  const hostile = [
    '%',
    "'; DROP TABLE agents; --",
    "' OR 1=1 --",
    '$1',
    '\0',
    'tide\0watch',
    '🤖'.repeat(200),
    '(((((((((((x*)*)*)*)*)*)*)*)*)*)*',
    'a '.repeat(100),
  ]
  for (const text of hostile) {
    const { status, body } = await list(`?query=${encodeURIComponent(text)}`)
    expect(status, text).toBe(200)
    expect(body.success).toBe(true)
  }
  // A lone surrogate, which is not valid UTF-8.
  expect((await list('?query=%ED%A0%80')).status).toBe(200)
  expect((await names()).length).toBe(registered().length)
})

test('a hidden agent disappears from list, detail and card on every node, and comes back', async () => {
  const first = service()
  const second = await startTestService({
    connection: first.connection,
    config: { ...world.config(), indexer: true },
  })
  const { address } = world.agent('tidewatch')
  const states = async () => {
    const found: (number | string)[] = []
    for (const { url } of [first, second]) {
      for (const path of [`/v1/agents/${address}`, `/v1/agents/${address}/agent-card.json`])
        found.push((await fetch(url + path)).status)
      for (const path of ['/v1/agents?pageSize=100', '/v1/agents?query=tidewatch'])
        found.push(
          (await (await fetch(url + path)).text()).includes(`"${address}"`) ? 'listed' : 'not listed',
        )
    }
    return found
  }
  const shown = [200, 200, 'listed', 'listed', 200, 200, 'listed', 'listed']
  expect(await states()).toEqual(shown)
  await setAgentHidden(first.database, network, address, true)
  await expect
    .poll(states, { timeout: 60_000 })
    .toEqual([404, 404, 'not listed', 'not listed', 404, 404, 'not listed', 'not listed'])
  const total = (await list()).body.data.total
  expect(total).toBe(registered().length - 1)
  // A refresh from the chain does not bring it back.
  await second.agents.refresh(network, address)
  expect((await fetch(`${second.url}/v1/agents/${address}`)).status).toBe(404)
  await setAgentHidden(second.database, network, address, false)
  await expect.poll(states, { timeout: 60_000 }).toEqual(shown)
})
