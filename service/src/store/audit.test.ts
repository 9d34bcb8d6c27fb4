import { expect, test } from 'vitest'
import { saveTestAgent } from '../testing/agent-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { findAgent, setVerified } from './agents.ts'
import { type AuditEntry, audited, readAudit } from './audit.ts'
import { auditLog } from './audit-table.ts'
import type { Database } from './database.ts'

const network = 'chain-mainnet'

async function entriesOf(database: Database): Promise<AuditEntry[]> {
  const all: AuditEntry[] = []
  for await (const batch of readAudit(database)) all.push(...batch)
  return all
}

test('a change and its record are stored together or not at all', async () => {
  const { database } = await createTestDatabase()
  const { address } = await saveTestAgent(database, 'agent')
  const change = { operator: 'ada', command: 'verify-agent', network, subject: address } as const
  const failed = audited(database, change, async tx => {
    await setVerified(tx, network, address, true)
    throw new Error('after the change')
  })
  await expect(failed).rejects.toThrow('after the change')
  expect(await entriesOf(database)).toEqual([])
  expect((await findAgent(database, network, address)).verifiedAt).toBeUndefined()

  await audited(database, change, tx => setVerified(tx, network, address, true))
  expect(await entriesOf(database)).toMatchObject([change])
  expect((await findAgent(database, network, address)).verifiedAt).toBeInstanceOf(Date)
})

test('every entry is read, however many there are', async () => {
  const { database } = await createTestDatabase()
  const entries = Array.from(
    { length: 1_001 },
    (_, at) => ({ operator: 'ada', command: 'test', network, subject: `${at}` }) as const,
  )
  await database.run('test', db => db.insert(auditLog).values(entries))
  expect((await entriesOf(database)).map(({ subject }) => subject)).toEqual(
    Array.from({ length: 1_001 }, (_, at) => `${at}`),
  )
})
