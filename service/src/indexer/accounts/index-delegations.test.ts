import { writeAddress } from '@slipway/launch-model/bytes/base58'
import { AGENT_TOOLS_PROGRAM, CORE_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import type { ProgramAccount } from '../../chain/rpc/requests.ts'
import { findDelegations } from '../../store/delegations.ts'
import { saveTestAgent } from '../../testing/agent-rows.ts'
import { addressOf } from '../../testing/launch-rows.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createDelegationIndex, readDelegations, updateDelegations } from './index-delegations.ts'

const network = 'chain-mainnet'
const agent = addressOf('agent sold')
const recordOf = (at: number) => addressOf(`record ${at}`)

/** A chain on which the buyer owns the agent, for which these records exist. */
async function prepare(records: readonly Address[]) {
  const { database } = await createTestDatabase()
  // The index has not seen the sale yet.
  await saveTestAgent(database, 'sold', { owner: addressOf('seller') })
  const chain = new Map<Address, ProgramAccount>()
  const put = (address: Address, owner: Address, data: Uint8Array) =>
    chain.set(address, { exists: true, address, owner, lamports: 1n, data })
  for (const record of records) {
    const data = Uint8Array.of(2, ...new Uint8Array(103))
    for (const [offset, text] of ['profile', 'wallet', 'agent sold'].entries())
      writeAddress(addressOf(text), data, 8 + 32 * offset)
    put(record, AGENT_TOOLS_PROGRAM, data)
  }
  const asset = Uint8Array.of(1, ...new Uint8Array(42))
  writeAddress(addressOf('buyer'), asset, 1)
  put(agent, CORE_PROGRAM, asset)
  const rpc = {
    fetchAccounts: async (addresses: readonly Address[]) => ({
      slot: 5,
      accounts: addresses.map(address => chain.get(address) ?? { exists: false as const, address }),
    }),
    // A node that lists a record twice.
    fetchProgramAccounts: async () => {
      const accounts = [...chain.values()].filter(({ owner }) => owner === AGENT_TOOLS_PROGRAM)
      return { slot: 5, accounts: [...accounts, ...accounts] }
    },
    confirmCluster: async () => {},
    confirmMissing: async (missing: readonly Address[]) => ({ missing: [...missing], found: [], slot: 5 }),
  }
  const stored = () => findDelegations(database, network, agent)
  return { chain, parts: { network, rpc, database } as const, stored }
}

test.each(['reported', 'searched for'])(
  'a record that is %s is stored with its agent’s owner on the chain, not a former owner from the store',
  async how => {
    const record = recordOf(0)
    const { chain, parts, stored } = await prepare([record])
    const read = () => (how === 'reported' ? updateDelegations(parts, [record]) : readDelegations(parts))
    await read()
    expect(await stored()).toMatchObject([{ record, firstOwner: addressOf('buyer'), slot: 5 }])
    const [before] = await stored()
    const asset = chain.get(agent) as ProgramAccount
    writeAddress(addressOf('next buyer'), asset.data, 1)
    await read()
    expect(await stored()).toEqual([before])

    chain.delete(record)
    await read()
    expect(await stored()).toEqual([])
  },
)

test('an owner that could not be read is stored later', async () => {
  const { chain, parts, stored } = await prepare([recordOf(0)])
  const asset = chain.get(agent) as ProgramAccount
  chain.delete(agent)
  await updateDelegations(parts, [recordOf(0)])
  expect(await stored()).toMatchObject([{ firstOwner: null }])
  chain.set(agent, asset)
  await updateDelegations(parts, [recordOf(0)])
  expect(await stored()).toMatchObject([{ firstOwner: addressOf('buyer') }])
})

test('many records reported at once are stored without pauses', async () => {
  const records = Array.from({ length: 250 }, (_, at) => recordOf(at))
  const { parts, stored } = await prepare(records)
  const stop = new AbortController()
  const faults: unknown[] = []
  const index = createDelegationIndex({
    ...parts,
    sweepMs: 2 ** 30,
    onFault: error => faults.push(error),
    signal: stop.signal,
  })
  const running = index.run()
  for (const record of records) index.report(record)
  await expect.poll(async () => (await stored()).length, { timeout: 60_000 }).toBe(250)
  stop.abort()
  await running
  expect(faults).toEqual([])
})
