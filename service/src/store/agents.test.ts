import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import {
  type AgentRow,
  findAgent,
  removeAgent,
  removeAuthoredCard,
  saveAgent,
  saveAuthoredCard,
  setVerified,
} from './agents.ts'
import { findProgress, saveCompleteScan, saveProgress } from './chain-progress.ts'

const address = addressOf('agent')
const display = { name: 'Agent', description: '', isActive: true, hasServices: false }
const row: AgentRow = {
  network: 'chain-mainnet',
  address,
  owner: addressOf('owner'),
  authority: null,
  name: 'Agent',
  uri: '',
  identityVersion: 2,
  agentUri: 'https://agent.example/registration.json',
  agentToken: null,
  slot: 10,
  documents: {},
}

test('an unknown agent is undefined, not an error', async () => {
  const { database } = await createTestDatabase()
  expect(await findAgent(database, 'chain-mainnet', address)).toEqual({ isIndexCurrent: false })
})

test('the index is current if it is seconds behind, whatever the clock of the node that indexes', async () => {
  const { database } = await createTestDatabase()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const isCurrent = async (save: typeof saveCompleteScan | typeof saveProgress, secondsAgo: number) => {
    const at = new Date(Date.now() - 1_000 * secondsAgo)
    await save(database, 'chain-mainnet', { slot: 1, at })
    const found = await findProgress(database, 'chain-mainnet')
    expect(Math.abs(Number(found?.updatedAt) - at.getTime())).toBeLessThan(60_000)
    return (await findAgent(database, 'chain-mainnet', address)).isIndexCurrent
  }
  for (const save of [saveCompleteScan, saveProgress])
    expect([await isCurrent(save, 0), await isCurrent(save, 5)]).toEqual([true, false])
})

test('an agent whose minting was prepared here may exist before a current index has it', async () => {
  const { database, connection } = await createTestDatabase()
  await saveCompleteScan(database, 'chain-mainnet', { slot: 1, at: new Date() })
  await runSql(
    connection,
    `INSERT INTO documents (sha256, network, asset, body, size) VALUES ('00', 'chain-mainnet', '${address}', '', 0)`,
  )
  const isCurrent = async (network: Network, asked: Address) =>
    (await findAgent(database, network, asked)).isIndexCurrent
  expect(await isCurrent('chain-mainnet', address)).toBe(false)
  expect(await isCurrent('chain-mainnet', addressOf('another'))).toBe(true)
  await runSql(connection, 'UPDATE documents SET named_at = now()')
  expect(await isCurrent('chain-mainnet', address)).toBe(true)
})

test('an older state never overwrites or removes a newer one', async () => {
  const { database } = await createTestDatabase()
  const find = async () => (await findAgent(database, 'chain-mainnet', address)).row
  expect(await saveAgent(database, row, display)).toBe(true)
  expect(await saveAgent(database, { ...row, owner: addressOf('before'), slot: 9 }, display)).toBe(false)
  expect(await find()).toEqual(row)
  expect(await removeAgent(database, 'chain-mainnet', address, 9)).toBe(false)
  expect(await find()).toEqual(row)
  expect(await saveAgent(database, { ...row, owner: addressOf('after'), slot: 11 }, display)).toBe(true)
  expect(await find()).toEqual({ ...row, owner: addressOf('after'), slot: 11 })
  expect(await removeAgent(database, 'chain-mainnet', address, 11)).toBe(true)
  expect(await find()).toBeUndefined()
})

test('a document is returned as stored: same order, same characters', async () => {
  const { database } = await createTestDatabase()
  const value = { z: 'nul \u0000', a: ['\ud800', '🚢'], m: { deep: 1e-7 } }
  const documents = { registration: { uri: 'data:,', value } }
  await saveAgent(database, { ...row, documents }, display)
  const found = await findAgent(database, 'chain-mainnet', address)
  expect(JSON.stringify(found.row?.documents)).toBe(JSON.stringify(documents))
})

test('verification and authored cards are independent of what the chain says', async () => {
  const { database } = await createTestDatabase()
  const body = Buffer.from('{ "name":\t"kept to the byte" }\n')
  await setVerified(database, 'chain-mainnet', address, true)
  await saveAuthoredCard(database, 'chain-mainnet', address, body)
  const found = await findAgent(database, 'chain-mainnet', address)
  expect(found).toMatchObject({ row: undefined, verifiedAt: expect.any(Date), authoredCard: body })
  await setVerified(database, 'chain-mainnet', address, true)
  expect((await findAgent(database, 'chain-mainnet', address)).verifiedAt).toEqual(found.verifiedAt)
  expect(await findAgent(database, 'chain-devnet', address)).toEqual({ isIndexCurrent: false })
  await setVerified(database, 'chain-mainnet', address, false)
  expect(await removeAuthoredCard(database, 'chain-mainnet', address)).toBe(true)
  expect(await removeAuthoredCard(database, 'chain-mainnet', address)).toBe(false)
  expect(await findAgent(database, 'chain-mainnet', address)).toEqual({ isIndexCurrent: false })
})
