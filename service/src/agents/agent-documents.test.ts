import { expect, onTestFinished, test, vi } from 'vitest'
import type { AccountReader, ChainAccount } from '../chain/account-reader.ts'
import type { AgentFacts } from '../chain/agent-facts.ts'
import { failure, type JsonObject, parseJsonText } from '../metadata/fetched-document.ts'
import { useDemo } from '../testing/demo.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { type AgentDocuments, fetchAgentDocuments } from './agent-documents.ts'

const world = useDemo()
const gateways = { ipfsGateway: 'https://ipfs.example/ipfs/', arweaveGateway: 'https://ar.example/' }
const facts: AgentFacts = {
  owner: addressOf('owner'),
  authority: null,
  name: 'On the chain',
  uri: 'https://a.example/asset.json',
  identityVersion: 2,
  agentUri: 'https://a.example/registration.json',
  agentToken: null,
}
const SERVICES = [{ name: 'A2A', endpoint: 'https://a.example/card.json' }]

const reader: AccountReader = {
  async fetchAccounts(addresses) {
    const { chain } = world.chainOf().local
    const accounts = addresses.map((address): ChainAccount => {
      const found = chain.account(address as never)
      return found ? ({ exists: true, address, ...found } as ChainAccount) : { exists: false, address }
    })
    return { slot: 1, accounts }
  },
}

/** Fetches an agent's documents while only these exist on the web. */
function fetchFrom(
  web: Record<string, JsonObject>,
  {
    known = {},
    onFetch = () => {},
    ...change
  }: Partial<AgentFacts> & { known?: AgentDocuments; onFetch?: (waitMsMax: number) => void } = {},
): Promise<AgentDocuments> {
  const documents = {
    async get(uri: string, { waitMsMax = 0 } = {}) {
      onFetch(waitMsMax)
      const found = web[uri]
      return found ? parseJsonText(JSON.stringify(found)) : failure('unreachable')
    },
  }
  return fetchAgentDocuments(
    { documents, gateways, waitMsMax: 1_000 },
    reader,
    { ...facts, ...change },
    { network: 'chain-mainnet', known, isOwnToken: () => false },
  )
}

const WEB = {
  'https://a.example/registration.json': { name: 'R', services: SERVICES },
  'https://a.example/asset.json': { description: 'of the asset' },
  'https://a.example/card.json': { url: 'https://a.example/rpc' },
}

test('a document that cannot be fetched stays as it was, each one independently', async () => {
  const known = await fetchFrom(WEB)
  expect(Object.keys(known)).toEqual(['registration', 'asset', 'endpoint'])
  expect(await fetchFrom({}, { known })).toEqual(known)
})

test('a known document counts only while the chain or the registration names it', async () => {
  const known = await fetchFrom(WEB)
  expect(await fetchFrom({}, { known, uri: 'https://b.example/' })).toEqual({ ...known, asset: undefined })
  expect(await fetchFrom({}, { known, agentUri: 'https://b.example/' })).toEqual({ asset: known.asset })
  const moved = { name: 'R', services: [{ name: 'A2A', endpoint: 'https://b.example/card.json' }] }
  expect(await fetchFrom({ [facts.agentUri as string]: moved }, { known })).not.toHaveProperty('endpoint')
  expect(await fetchFrom({}, { known, agentUri: null, uri: '' })).toEqual({})
})

test('a token keeps its image while its document cannot be fetched, and another token does not get it', async () => {
  const { token: mint } = world.agent('patchbot')
  if (!mint) throw new Error('the agent has no token')
  const first = await fetchFrom({}, { agentToken: mint })
  expect(first.token?.value).toMatchObject({ address: mint, name: expect.any(String), image: '' })
  const image = 'https://a.example/token.png'
  const known: AgentDocuments = {
    token: { mint, value: { address: mint, name: 'Before', symbol: '', image, description: 'kept' } },
  }
  const kept = await fetchFrom({}, { agentToken: mint, known })
  expect(kept.token?.value).toEqual({ ...first.token?.value, image, description: 'kept' })
  const ofAnother: AgentDocuments = {
    token: { ...(known.token as object), mint: addressOf('other') } as never,
  }
  expect((await fetchFrom({}, { agentToken: mint, known: ofAnother })).token?.value).toEqual(
    first.token?.value,
  )
})

test('a caller waits for all documents together no longer than for one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const waits: number[] = []
  await fetchFrom(WEB, {
    onFetch(waitMsMax) {
      waits.push(waitMsMax)
      vi.advanceTimersByTime(300)
    },
  })
  expect(waits).toEqual([1_000, 700, 400])
})
