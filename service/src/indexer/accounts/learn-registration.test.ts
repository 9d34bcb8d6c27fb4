import { identityAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/schema/address'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { SignatureInfo } from '../../chain/rpc/requests.ts'
import { saveTestAgent } from '../../testing/agent-rows.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { learnRegistration } from './learn-registration.ts'

const network = 'chain-mainnet'
const PAST = 1_700_000_000

/** A stand-in for a node with this history, the newest first. */
function historyOf(address: Address, all: Partial<SignatureInfo>[]) {
  let calls = 0
  return {
    calls: () => calls,
    async fetchSignatures(asked: Address, { limit = 1_000, before }: { limit?: number; before?: string }) {
      expect(asked).toBe(identityAddress(address))
      calls += 1
      const start = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1
      return all
        .slice(start, start + limit)
        .map(info => ({ signature: '', slot: 1, failed: false, isFinal: true, blockTime: PAST, ...info }))
    },
    fetchBlockTime: async (slot: number) => PAST + slot,
    confirmCluster: async () => {},
  }
}

async function learn(history: Partial<SignatureInfo>[]) {
  const { database } = await createTestDatabase()
  const { address } = await saveTestAgent(database, 'agent')
  const rpc = historyOf(address, history)
  await learnRegistration({ rpc, database, network }, address)
  const { rows } = await database.run('test', db =>
    db.execute<{ signature: string | null; seconds: number }>(
      sql`SELECT registration_signature AS signature, extract(epoch FROM registered_at)::int AS seconds FROM agent_listing`,
    ),
  )
  return {
    ...rows[0],
    calls: rpc.calls(),
    again: () => learnRegistration({ rpc, database, network }, address),
    rpc,
  }
}

test('the oldest successful transaction of the identity is the registration', async () => {
  const learnt = await learn([
    { signature: 'token set', blockTime: PAST + 9 },
    { signature: 'registered', blockTime: PAST },
    { signature: 'refused', failed: true, blockTime: PAST - 9 },
  ])
  expect(learnt).toMatchObject({ signature: 'registered', seconds: PAST })
  await learnt.again()
  expect(learnt.rpc.calls()).toBe(1)
})

test('a missing block time is looked up', async () => {
  expect(await learn([{ signature: 'registered', slot: 7, blockTime: undefined as never }])).toMatchObject({
    signature: 'registered',
    seconds: PAST + 7,
  })
})

test('a history without the registration leaves it unknown', async () => {
  const later = Math.floor(Date.now() / 1_000) + 3_600
  for (const history of [[], [{ signature: 'later', blockTime: later }]])
    expect((await learn(history)).signature).toBeNull()
})

test('a long history is read page by page, up to a limit', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ signature: `${at}` }))
  expect(await learn(many(2_500))).toMatchObject({ signature: '2499', calls: 3 })
  expect(await learn(many(9_000))).toMatchObject({ signature: null, calls: 5 })
})
