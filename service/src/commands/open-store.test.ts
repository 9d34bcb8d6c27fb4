import { expect, test } from 'vitest'
import { createTestConnection } from '../testing/test-database.ts'
import { warnOfConnections } from './open-store.ts'

test('a node with more workers than the database has connections for says so once, at the start', async () => {
  const connection = await createTestConnection()
  const warnings: unknown[][] = []
  const warn = (...warning: unknown[]) => void warnings.push(warning)
  await warnOfConnections(connection, 1, { warn })
  expect(warnings).toEqual([])
  await warnOfConnections(connection, 1_000, { warn })
  expect(warnings).toEqual([
    [{ workers: 1_000, needed: 6_006, allowed: expect.any(Number) }, expect.stringMatching(/^this node may/)],
  ])
  // A database that can't be asked is no reason not to start.
  await warnOfConnections({ ...connection, database: 'missing' }, 1_000, { warn })
  expect(warnings).toHaveLength(1)
})
