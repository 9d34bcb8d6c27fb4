import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import type { JsonObject } from '../metadata/fetched-document.ts'
import { parseDisplayMetadata } from '../metadata/formats/display-metadata.ts'
import { parseRegistrationDocument } from '../metadata/formats/registration-document.ts'
import { addressOf } from '../testing/launch-rows.ts'
import type { AgentDocuments } from './agent-documents.ts'
import { type AgentSource, describeAgent } from './describe-agent.ts'

const gateways = { ipfsGateway: 'https://ipfs.example/ipfs/', arweaveGateway: 'https://ar.example/' }
const address = addressOf('agent')
const facts = {
  owner: addressOf('owner'),
  authority: null,
  name: 'On the chain',
  uri: 'https://a.example/asset.json',
  identityVersion: 2,
  agentUri: 'https://a.example/registration.json',
  agentToken: null as Address | null,
}

function describe(documents: AgentDocuments, change: Partial<AgentSource> = {}) {
  const source: AgentSource = {
    network: 'chain-mainnet',
    address,
    facts,
    documents,
    verifiedAt: undefined,
    authoredCard: undefined,
    tokens: [],
    ...change,
  }
  return describeAgent(source, { publicUrl: 'https://slipway.example' })
}

const registrationOf = (document: JsonObject, fields: JsonObject = {}): AgentDocuments => ({
  registration: { uri: facts.agentUri, value: parseRegistrationDocument(document, gateways), fields },
})
const assetOf = (document: JsonObject): AgentDocuments => ({
  asset: { uri: facts.uri, value: parseDisplayMetadata(document, gateways) },
})

test('name, description and image come from the registration, then the asset’s document; the last source of a name is the chain', () => {
  const asset = assetOf({ name: 'Asset', description: 'of the asset', image: 'https://a.example/asset.png' })
  const whole = registrationOf({
    name: 'R',
    description: 'of the registration',
    image: 'https://a.example/r.png',
  })
  expect(describe({ ...whole, ...asset }).detail).toMatchObject({
    name: 'R',
    description: 'of the registration',
    image: 'https://a.example/r.png',
  })
  for (const documents of [asset, { ...registrationOf({ name: 7, image: [] }), ...asset }])
    expect(describe(documents).detail).toMatchObject({
      name: 'Asset',
      description: 'of the asset',
      image: 'https://a.example/asset.png',
    })
  const { detail } = describe({})
  expect(detail).toMatchObject({ name: 'On the chain', description: '' })
  expect(detail).not.toHaveProperty('image')
})

test('names and descriptions are shown clean even if they were stored otherwise, and an empty one counts as missing', () => {
  const mint = addressOf('mint')
  const skill = { id: 's\u200b', name: '\u202e', description: 'd\u0007', tags: ['t\ufeff', '\u200b'] }
  const stored: AgentDocuments = {
    registration: {
      uri: facts.agentUri,
      value: {
        name: 'e\u0301\u202e',
        description: ' \u200b',
        services: [{ name: 'A2A', endpoint: 'https://a.example', skills: [skill] }],
      },
      fields: {},
    },
    asset: { uri: facts.uri, value: { name: 'Asset', description: 'one\u202e\ntwo ' } },
    token: {
      mint,
      value: { address: mint, name: 'T\u200b', symbol: '\u2066S', image: '', description: 'd\u0000' },
    },
  }
  const { detail } = describe(stored, { facts: { ...facts, agentToken: mint } })
  expect(detail).toMatchObject({
    name: 'é',
    description: 'one\ntwo',
    agentTokenInfo: { name: 'T', symbol: 'S', description: 'd' },
    a2aCard: {
      name: 'é',
      description: 'one\ntwo',
      skills: [{ id: 's', name: 's', description: 'd', tags: ['t'] }],
    },
  })
  const chainName = { facts: { ...facts, name: '\u200bOn the\u202e chain' } }
  expect(describe({}, chainName).detail.name).toBe('On the chain')
  // A name that is empty once cleaned does not name the agent.
  expect(describe(registrationOf({ name: '\u200b' }), chainName)).toMatchObject({
    card: undefined,
    detail: { name: 'On the chain' },
  })
})

test('no field of a document replaces a documented one, or fills in for one that the chain leaves empty', () => {
  const forged = { owner: 'x', tokens: ['x'], success: false, verifiedAt: 'x', a2aCard: 'x' }
  // Parsing a document drops such fields, so here they are passed directly.
  const { detail } = describe(registrationOf({ name: 'R' }, { ...forged, active: true }))
  expect(detail).toMatchObject({
    success: true,
    owner: facts.owner,
    tokens: [],
    verifiedAt: null,
    a2aCard: { name: 'R' },
    active: true,
  })
  for (const name of ['authority', 'agentToken', 'agentTokenInfo']) expect(detail).not.toHaveProperty(name)
  for (const agentUri of [null, ''])
    expect(describe({}, { facts: { ...facts, agentUri } }).detail).not.toHaveProperty('agentMetadataUri')
})

test('a card’s URL is the one it is served at, on either network', () => {
  const cardOf = (network: AgentSource['network']) =>
    JSON.parse(`${describe(registrationOf({ name: 'R' }), { network }).card}`)
  const url = `https://slipway.example/v1/agents/${address}/agent-card.json`
  expect(cardOf('chain-mainnet').url).toBe(url)
  expect(cardOf('chain-devnet').url).toBe(url.replace('/v1/', '/v1/networks/chain-devnet/'))
})

test('a card is synthesised only from a document that names the agent', () => {
  expect(describe(registrationOf({ description: 'nameless' })).card).toBeUndefined()
  expect(describe(assetOf({ name: 'Asset' }))).toMatchObject({ card: undefined, detail: { a2aCard: null } })
})

test('the primary token is described by its own launch, otherwise by the chain, and is absent without a token', () => {
  const token = (mint: Address, name: string) => ({
    address: mint,
    name,
    symbol: '',
    image: '',
    description: '',
  })
  const mint = addressOf('mint')
  const documents: AgentDocuments = { token: { mint, value: token(mint, 'on the chain') } }
  const withToken = { facts: { ...facts, agentToken: mint } }
  expect(describe(documents, withToken).detail.agentTokenInfo?.name).toBe('on the chain')
  const tokens = [token(addressOf('other'), 'other'), token(mint, 'launched')]
  expect(describe(documents, { ...withToken, tokens }).detail.agentTokenInfo?.name).toBe('launched')
  expect(describe(documents, { tokens }).detail).not.toHaveProperty('agentTokenInfo')
  // The chain names another token, which has not been read yet.
  const changed = { facts: { ...facts, agentToken: addressOf('next') } }
  expect(describe(documents, changed).detail).not.toHaveProperty('agentTokenInfo')
})

test('a card that came with the document is served until the owner asks for the synthesised one', () => {
  const minted = JSON.stringify({ name: 'Minted' })
  const documents = {
    ...registrationOf({ name: 'Registered' }),
    card: { uri: facts.agentUri as string, text: minted },
  }
  expect(describe(documents).card?.toString()).toBe(minted)
  const { card } = describe(documents, { isCardRemoved: true })
  expect(JSON.parse(`${card}`)).toMatchObject({ name: 'Registered' })
})
