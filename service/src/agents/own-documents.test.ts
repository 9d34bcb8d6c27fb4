import { expect, test } from 'vitest'
import { saveAuthoredCard } from '../store/agents.ts'
import { setAgentHidden } from '../store/curated-agents.ts'
import { saveTestAgent } from '../testing/agent-rows.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { createOwnDocuments } from './own-documents.ts'

test('an authored card is found at every URL that serves it, and at no other', async () => {
  const { database } = await createTestDatabase()
  const address = addressOf('agent')
  const [main, dev] = [Buffer.from('{"on":"mainnet"}'), Buffer.from('{"on":"devnet"}')]
  await saveAuthoredCard(database, 'chain-mainnet', address, main)
  await saveAuthoredCard(database, 'chain-devnet', address, dev)
  const { resolve } = createOwnDocuments(database, {
    publicUrl: 'https://slipway.example',
    publicUrlsPrevious: [],
  })
  const card = `/v1/agents/${address}/agent-card.json`
  for (const query of ['', '?', '?network=', '?network=chain-mainnet', '?network=solana-mainnet', '?v=2'])
    expect(await resolve(card + query)).toEqual(main)
  expect(await resolve(`/v1/agents/${address}/.well-known/agent-card.json`)).toEqual(main)
  for (const query of ['?network=chain-devnet', '?v=2&network=solana-devnet'])
    expect(await resolve(card + query)).toEqual(dev)
  for (const [network, expected] of [
    ['chain-mainnet', main],
    ['chain-devnet', dev],
    ['solana-devnet', dev],
    ['moonnet', undefined],
  ])
    for (const path of ['agent-card.json', '.well-known/agent-card.json', 'agent-card.json?v=2'])
      expect(await resolve(`/v1/networks/${network}/agents/${address}/${path}`)).toEqual(expected)
  for (const path of [
    `${card}?network=moonnet`,
    `${card}?network=chain-devnet&network=chain-devnet`,
    `${card}/`,
    `/v1/agents/${address}`,
    `/v1/agents/junk/agent-card.json`,
    `/v1/agents/${addressOf('another')}/agent-card.json`,
    '/v1/launches',
    '/',
    '//',
    '//:',
  ])
    expect(await resolve(path)).toBeUndefined()
})

test('the authored card of a hidden agent is not found', async () => {
  const { database } = await createTestDatabase()
  const { address } = await saveTestAgent(database, 'Tidewatch')
  const card = Buffer.from('{}')
  await saveAuthoredCard(database, 'chain-mainnet', address, card)
  const { resolve } = createOwnDocuments(database, {
    publicUrl: 'https://slipway.example',
    publicUrlsPrevious: [],
  })
  const paths = ['agent-card.json', '.well-known/agent-card.json'].map(
    name => `/v1/agents/${address}/${name}`,
  )
  expect(await setAgentHidden(database, 'chain-mainnet', address, true)).toBe('changed')
  for (const path of paths) expect(await resolve(path)).toBeUndefined()
  await setAgentHidden(database, 'chain-mainnet', address, false)
  for (const path of paths) expect(await resolve(path)).toEqual(card)
})
