import type { Address } from '@slipway/schema/address'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { saveTestAgent } from '../testing/agent-rows.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { removeAgent, setVerified } from './agents.ts'
import { setAgentHidden, setAgentSpotlight } from './curated-agents.ts'
import type { Database } from './database.ts'
import {
  type AgentFilter,
  countListed,
  findListedPage,
  matchingFlags,
  readListedAgents,
} from './list-agents.ts'

const network = 'chain-mainnet'

interface Sample {
  address: Address
  registeredAt: number
  is: Required<AgentFilter> & { hidden: boolean }
}

/** Agents with every combination of properties, some registered at the same time. */
async function fill(database: Database, count: number): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let at = 0; at < count; at += 1) {
    const is = {
      active: at % 2 === 0,
      token: at % 3 === 0,
      services: at % 5 < 2,
      spotlight: at % 7 === 0,
      verified: at % 4 === 0,
      hidden: at % 11 === 0,
    }
    const { address } = await saveTestAgent(database, `agent ${at}`, {
      agentToken: is.token ? addressOf('token') : null,
      display: { isActive: is.active, hasServices: is.services },
    })
    if (is.spotlight) await setAgentSpotlight(database, network, address, true)
    if (is.hidden) await setAgentHidden(database, network, address, true)
    if (is.verified) await setVerified(database, network, address, true)
    const registeredAt = 1_700_000_000 + Math.floor(at / 3)
    await database.run('test', db =>
      db.execute(
        sql`UPDATE agent_listing SET registered_at = to_timestamp(${registeredAt}) WHERE address = ${address}`,
      ),
    )
    samples.push({ address, registeredAt, is })
  }
  return samples
}

test('every page of every combination of filters has the agents that a plain filter and sort give', async () => {
  const { database } = await createTestDatabase()
  const samples = await fill(database, 66)
  const filters = fc.record(
    Object.fromEntries(
      ['active', 'token', 'services', 'spotlight', 'verified'].map(name => [
        name,
        fc.option(fc.boolean(), { nil: undefined }),
      ]),
    ),
  ) as fc.Arbitrary<AgentFilter>
  const counts = await countListed(database, network)
  await fc.assert(
    fc.asyncProperty(
      filters,
      fc.constantFrom('latest' as const, 'oldest' as const),
      fc.integer({ min: 1, max: 25 }),
      fc.nat({ max: 70 }),
      async (filter, order, limit, offset) => {
        const matching = samples
          .filter(({ is }) => !is.hidden)
          .filter(({ is }) =>
            Object.entries(filter).every(
              ([name, wanted]) => wanted === undefined || is[name as keyof AgentFilter] === wanted,
            ),
          )
          .sort((a, b) => a.registeredAt - b.registeredAt || (a.address < b.address ? -1 : 1))
        if (order === 'latest') matching.reverse()
        const flags = matchingFlags(filter).filter(value => counts.has(value))
        const total = flags.reduce((sum, value) => sum + (counts.get(value) ?? 0), 0)
        expect(total).toBe(matching.length)
        expect(await findListedPage(database, network, { flags, total, order, offset, limit })).toEqual(
          matching.slice(offset, offset + limit).map(({ address }) => address),
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('the counts follow every change of an agent', async () => {
  const { database } = await createTestDatabase()
  const counted = async () => Object.fromEntries(await countListed(database, network))
  const first = await saveTestAgent(database, 'first')
  await saveTestAgent(database, 'second')
  expect(await counted()).toEqual({ 1: 2 })
  await setVerified(database, network, first.address, true)
  expect(await counted()).toEqual({ 1: 1, 17: 1 })
  await setAgentHidden(database, network, first.address, true)
  expect(await counted()).toEqual({ 1: 1, 49: 1 })
  await removeAgent(database, network, first.address, 10)
  expect(await counted()).toEqual({ 1: 1 })
  // It comes back as the operator left it.
  await saveTestAgent(database, 'first')
  expect(await counted()).toEqual({ 1: 1, 49: 1 })
  await database.run('test', db => db.execute(sql`TRUNCATE agents`))
  expect(await counted()).toEqual({})
})

test('an agent that is hidden after its page was found is not read', async () => {
  const { database } = await createTestDatabase()
  const [first, second] = [await saveTestAgent(database, 'first'), await saveTestAgent(database, 'second')]
  await setAgentHidden(database, network, first.address, true)
  const read = await readListedAgents(database, network, [second.address, first.address])
  expect(read.map(({ row }) => row.name)).toEqual(['second'])
})
