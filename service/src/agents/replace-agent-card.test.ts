import { randomBytes } from 'node:crypto'
import type { Keypair } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { ERRORS, type ErrorCode } from '@slipway/schema/errors'
import { getBase58Encoder } from '@solana/codecs-strings'
import { describe, expect, test } from 'vitest'
import { createSigningKeyText, parseSigningKey } from '../lib/signing-key.ts'
import { setAgentHidden } from '../store/curated-agents.ts'
import { useDemo } from '../testing/demo.ts'
import { base58, type ChangeWords, makeAgent, sendJson, signChange } from '../testing/owner-changes.ts'
import { runSql } from '../testing/test-database.ts'
import { CHAIN_ENDS, startTestService, useTestService } from '../testing/test-service.ts'
import { EXAMPLE_CARD } from './examples.ts'

const world = useDemo()
const card = { ...EXAMPLE_CARD, name: 'Written by its owner', url: 'https://agents.example/card.json' }
const ISSUED_MS = 60_000

const shared = useTestService(() => ({ config: world.config() }))
/** Another node with the same store. */
const other = useTestService(() => ({ config: world.config(), connection: shared().connection }))
const start = (options: Parameters<typeof startTestService>[0] = {}) =>
  startTestService({ ...options, config: { ...world.config(), ...options.config } })

/** A new agent, and what its owner does on a node. */
async function prepare(service = shared()) {
  const agent = await makeAgent(world)
  const { address } = agent
  const at = (url: string) => `${url}/v1/agents/${address}/agent-card.json`
  const read = async (url = service.url) => (await fetch(at(url))).text()
  const replace = (
    { by = agent.owner, url = service.url, value = card as object, ...words }: Change = {},
    sent: object = {},
  ) =>
    sendJson('PUT', at(url), {
      card: value,
      ...signChange(by, { purpose: 'replace agent card', address, value, ...words }),
      ...sent,
    })
  const remove = ({ by = agent.owner, url = service.url, ...words }: Change = {}) =>
    sendJson('DELETE', at(url), signChange(by, { purpose: 'remove agent card', address, ...words }))
  return { ...service, agent, address, at, read, replace, remove }
}
type Change = Partial<ChangeWords> & { by?: Keypair; url?: string; value?: object }

const OK = { status: 200, body: { success: true } }
const refused = (code: ErrorCode) => ({
  status: ERRORS[code].status,
  body: { success: false, error: ERRORS[code].text },
})
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

test('an owner replaces the card, which is served as JSON.stringify writes it, and returns to the synthesised one', async () => {
  const { url, address, read, replace, remove } = await prepare()
  const synthesised = await read()
  expect(JSON.parse(synthesised).name).toBe('Patchbot')
  expect(await read(other().url)).toBe(synthesised)

  expect(await replace({ issuedAt: ago(2_000) })).toEqual(OK)
  for (const node of [url, other().url]) {
    await expect.poll(() => read(node)).toBe(JSON.stringify(card))
    const detail = (await (await fetch(`${node}/v1/agents/${address}`)).json()) as object
    expect(detail).toMatchObject({ name: 'Patchbot', a2aCard: card })
  }
  const second = { ...card, version: '2.0.0' }
  expect(await replace({ value: second, issuedAt: ago(1_000), url: other().url })).toEqual(OK)
  await expect.poll(read).toBe(JSON.stringify(second))

  expect(await remove()).toEqual(OK)
  for (const node of [url, other().url]) await expect.poll(() => read(node)).toBe(synthesised)
  // Removing again succeeds: the result is what the owner wants.
  expect(await remove()).toEqual(OK)
})

test('a change is for one network and may name it in the query', async () => {
  const { at, address, agent, replace } = await prepare()
  const change = { purpose: 'replace agent card', address, value: card }
  const signed = { card, ...signChange(agent.owner, { ...change, network: 'chain-devnet' }) }
  const [main, dev] = [`${at('')}?network=solana-mainnet`, `${at('')}?network=chain-devnet`]
  const { url } = shared()
  expect(await sendJson('PUT', url + main, signed)).toEqual(refused('INVALID_SIGNATURE'))
  // It is signed for this network, but there is no such agent.
  expect(await sendJson('PUT', url + dev, signed)).toEqual(refused('AGENT_NOT_FOUND'))
  expect(await replace()).toEqual(OK)
  const named = { card, ...signChange(agent.owner, change) }
  expect(await sendJson('PUT', url + main, named)).toEqual(OK)
})

describe('a signature is refused', () => {
  test('if it is for anything other than what was sent', async () => {
    const { read, replace } = await prepare()
    const before = await read()
    const cases: [string, Change, object?][] = [
      ['expired', { issuedAt: ago(5 * 60_000 + 1_000) }],
      ['from the future', { issuedAt: ago(-6 * 60_000) }],
      ['for another deployment', { deployment: 'https://other.example' }],
      ['for another spelling of the deployment', { deployment: 'https://slipway.example/' }],
      ['for another network', { network: 'chain-devnet' }],
      ['for another agent', { address: '11111111111111111111111111111112' }],
      ['for a removal', { purpose: 'remove agent card' }],
      ['for the links of a launch', { purpose: 'change launch links' }],
      ['for another card', {}, { card: { ...card, name: 'Swapped' } }],
      ['with another time', {}, { issuedAt: ago(1) }],
      ['with another nonce', {}, { nonce: 'another-nonce-of-ours' }],
      ['random', {}, { signature: base58(randomBytes(64)) }],
      ['all zeros', {}, { signature: base58(new Uint8Array(64)) }],
    ]
    for (const [what, change, sent] of cases)
      expect({ what, ...(await replace(change, sent)) }).toMatchObject({
        what,
        ...refused('INVALID_SIGNATURE'),
      })
    expect(await read()).toBe(before)
  })

  test('if it was made with another key, and a removal if it was signed as a replacement', async () => {
    const { replace, remove, agent } = await prepare()
    const forger = { address: agent.owner.address, sign: createKeypair().sign } as Keypair
    expect(await replace({ by: forger })).toEqual(refused('INVALID_SIGNATURE'))
    expect(await remove({ by: forger })).toEqual(refused('INVALID_SIGNATURE'))
    expect(await remove({ purpose: 'replace agent card' })).toEqual(refused('INVALID_SIGNATURE'))
    expect(await remove({ value: card })).toEqual(refused('INVALID_SIGNATURE'))
  })

  test('if it was derived from a valid one', async () => {
    const { address, agent, at, url } = await prepare()
    const signed = signChange(agent.owner, { purpose: 'replace agent card', address, value: card })
    const bytes = Uint8Array.from(getBase58Encoder().encode(signed.signature))
    const order = 2n ** 252n + 27742317777372353535851937790883648493n
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order
    bytes.set(Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse(), 32)
    const derived = { card, ...signed, signature: base58(bytes) }
    expect(await sendJson('PUT', at(url), derived)).toEqual(refused('INVALID_SIGNATURE'))
    expect(await sendJson('PUT', at(url), { card, ...signed })).toEqual(OK)
  })

  test('if it is repeated, here or on another node, before or after another change', async () => {
    const { url, at, address, agent, read, remove } = await prepare()
    const change = { purpose: 'replace agent card', address, value: card, issuedAt: ago(ISSUED_MS) }
    const signed = { card, ...signChange(agent.owner, change) }
    expect(await sendJson('PUT', at(url), signed)).toEqual(OK)
    for (const node of [url, other().url])
      expect(await sendJson('PUT', at(node), signed)).toEqual(refused('INVALID_SIGNATURE'))
    expect(await remove()).toEqual(OK)
    expect(await sendJson('PUT', at(url), signed)).toEqual(refused('INVALID_SIGNATURE'))
    await expect.poll(async () => JSON.parse(await read()).name).toBe('Patchbot')
  })

  test('if its nonce is repeated in a newer change, for another agent of the owner too', async () => {
    const { url, agent, replace, remove } = await prepare()
    const nonce = 'the-same-nonce-twice'
    expect(await replace({ nonce, issuedAt: ago(ISSUED_MS) })).toEqual(OK)
    expect(await remove({ nonce })).toEqual(refused('INVALID_SIGNATURE'))
    const second = await makeAgent(world)
    await second.transfer(second.owner, agent.owner)
    const change = { purpose: 'remove agent card', address: second.address }
    const path = `/v1/agents/${second.address}/agent-card.json`
    expect(await sendJson('DELETE', url + path, signChange(agent.owner, { ...change, nonce }))).toEqual(
      refused('INVALID_SIGNATURE'),
    )
    expect(await sendJson('DELETE', url + path, signChange(agent.owner, change))).toEqual(OK)
  })

  test('if a change that is not older was applied before', async () => {
    const { url, replace, remove, read } = await prepare()
    const [older, newer] = [ago(ISSUED_MS), ago(ISSUED_MS - 1)]
    expect(await replace({ issuedAt: newer })).toEqual(OK)
    for (const node of [url, other().url]) {
      expect(await remove({ issuedAt: older, url: node })).toEqual(refused('INVALID_SIGNATURE'))
      expect(await remove({ issuedAt: newer, url: node })).toEqual(refused('INVALID_SIGNATURE'))
    }
    expect(await read()).toBe(JSON.stringify(card))
    expect(await read(other().url)).toBe(JSON.stringify(card))
  })
})

test('a valid signature by another wallet is 403 and uses up nothing', async () => {
  const { replace, connection } = await prepare(await start())
  const nonce = 'a-nonce-to-be-kept'
  expect(await replace({ by: createKeypair(), nonce })).toEqual(refused('NOT_AUTHORIZED'))
  expect(await replace({ nonce }, { issuedAt: ago(1_000) })).toEqual(refused('INVALID_SIGNATURE'))
  const { rows } = await runSql(connection, 'SELECT * FROM owner_nonces')
  expect(rows).toEqual([])
  expect(await replace({ nonce })).toEqual(OK)
})

test('a former owner is refused from the transfer on, and the card of the new owner is served at once', async () => {
  const { agent, read, replace, remove } = await prepare()
  const buyer = createKeypair()
  expect(await replace({ by: buyer })).toEqual(refused('NOT_AUTHORIZED'))
  await read()
  await agent.transfer(agent.owner, buyer)
  expect(await replace()).toEqual(refused('NOT_AUTHORIZED'))
  expect(await remove()).toEqual(refused('NOT_AUTHORIZED'))
  // In the slot in which the node last read the agent, the seller was still the owner.
  await expect.poll(() => replace({ by: buyer }), { timeout: 30_000 }).toEqual(OK)
  // There is no indexer here, and the node would not have read the agent again yet.
  await expect.poll(read).toBe(JSON.stringify(card))
})

test('if two changes with the same nonce or time race on two nodes, one wins and the other is refused', async () => {
  const { url, replace, read } = await prepare()
  for (let round = 0; round < 4; round += 1) {
    const issuedAt = ago(ISSUED_MS - round * 10)
    const nonce = round % 2 === 0 ? { nonce: randomBytes(12).toString('hex') } : {}
    const values = [url, other().url].map(node => ({ ...card, description: `round ${round} on ${node}` }))
    const answers = await Promise.all(
      [url, other().url].map((node, at) =>
        replace({ url: node, issuedAt, ...nonce, value: values[at] as object }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const winner = JSON.stringify(values[answers.findIndex(({ status }) => status === 200)])
    for (const node of [url, other().url]) await expect.poll(() => read(node)).toBe(winner)
  }
})

test('a card lapses when the agent is transferred, as soon as the indexer sees it, and does not return with the agent', async () => {
  const { agent, address, connection, replace, read } = await prepare(
    await start({ config: { indexer: true } }),
  )
  const synthesised = await read()
  // Without requests for the agent, only the indexer reads it.
  const indexedOwner = async () =>
    (await runSql(connection, `SELECT owner FROM agents WHERE address = '${address}'`)).rows[0]?.owner
  const [seller, buyer] = [agent.owner, createKeypair()]
  expect(await replace()).toEqual(OK)
  await expect.poll(read).toBe(JSON.stringify(card))
  await agent.transfer(seller, buyer)
  await expect.poll(indexedOwner, { timeout: 60_000 }).toBe(buyer.address)
  await expect.poll(read).toBe(synthesised)
  await agent.transfer(buyer, seller)
  await expect.poll(indexedOwner, { timeout: 60_000 }).toBe(seller.address)
  expect(await read()).toBe(synthesised)
  expect(await replace()).toEqual(OK)
  await expect.poll(read).toBe(JSON.stringify(card))
})

test('invalid fields are listed', async () => {
  const key = parseSigningKey(createSigningKeyText())
  const { url, at, read, replace } = await prepare(
    await start({ config: { cardSigning: { key, previous: [] } } }),
  )
  const invalid = (...paths: string[]) => ({
    status: 400,
    body: {
      success: false,
      error: 'Invalid input data',
      details: paths.map(path => ({ path, message: expect.stringMatching(/^[a-z]/) })),
    },
  })
  expect(await sendJson('PUT', at(url), {})).toEqual(
    invalid('owner', 'issuedAt', 'nonce', 'signature', 'card'),
  )
  expect(await sendJson('DELETE', at(url), {})).toEqual(invalid('owner', 'issuedAt', 'nonce', 'signature'))
  for (const text of ['[]', '{', '\ufeff{}'])
    expect((await sendJson('PUT', at(url), text)).body.details).toEqual([
      { path: '', message: 'must be a JSON object' },
    ])
  expect(await replace({}, { nonce: 'short', signature: 'x' })).toEqual(invalid('nonce', 'signature'))
  expect(await replace({ value: { ...card, skills: [], name: 7 } })).toEqual(
    invalid('card.name', 'card.skills'),
  )
  // Another agent's URL at this service.
  expect(await replace({ value: EXAMPLE_CARD })).toEqual(invalid('card.url'))
  // The service's own signature, which would be valid on another agent's copy of the card.
  const { signatures } = JSON.parse(await read())
  expect(await replace({ value: { ...card, signatures } })).toEqual(invalid('card.signatures.0'))
  expect(await replace({}, { card: [] })).toEqual(invalid('card'))
  expect(await replace({}, { card: { ...card, name: '\ud800' } })).toEqual(invalid('card'))
  const deep = `{"card":{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`
  const { status, body } = await sendJson('PUT', at(url), deep)
  expect({ status, paths: body.details.map(({ path }: { path: string }) => path) }).toMatchObject({
    status: 400,
    paths: expect.arrayContaining(['card']),
  })
  const query = await sendJson('DELETE', `${at(url)}?network=moonnet`, await validRemoval())
  expect(query).toEqual(invalid('network'))
})

const validRemoval = async () => {
  const { owner, address } = await makeAgent(world)
  return signChange(owner, { purpose: 'remove agent card', address })
}

test('an address without an agent, and a hidden agent, are 404', async () => {
  const { url, address, database, read, remove } = await prepare()
  await read()
  await setAgentHidden(database, 'chain-mainnet', address as Address, true)
  expect(await remove()).toEqual(refused('AGENT_NOT_FOUND'))
  await setAgentHidden(database, 'chain-mainnet', address as Address, false)
  expect(await remove()).toEqual(OK)
  const wallet = createKeypair()
  const send = (address: string) =>
    sendJson(
      'DELETE',
      `${url}/v1/agents/${address}/agent-card.json`,
      signChange(wallet, { purpose: 'remove agent card', address }),
    )
  for (const address of [wallet.address, 'junk', world.agent('unregistered').address, 'mint'])
    expect(await send(address)).toEqual(refused('AGENT_NOT_FOUND'))
})

test('while the chain is unreachable, nothing is changed and no nonce is used up', async () => {
  const { address, agent, connection, at } = await prepare(await start())
  const cutOff = await start({
    connection,
    limits: CHAIN_ENDS,
    config: { rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': [] } },
  })
  const signed = signChange(agent.owner, { purpose: 'remove agent card', address })
  expect(await sendJson('DELETE', at(cutOff.url), signed)).toEqual(refused('SERVICE_UNAVAILABLE'))
  const { rows } = await runSql(connection, 'SELECT * FROM owner_nonces')
  expect(rows).toEqual([])
})
