import { describe, expect, test } from 'vitest'
import { hasPgBouncer, startPgBouncer } from '../testing/pgbouncer.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { runCommand } from '../testing/run-command.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'
import { migrate } from './migrate.ts'

if (!hasPgBouncer) console.log('PgBouncer is not installed: connections through it are not tested')

describe.skipIf(!hasPgBouncer)('behind PgBouncer', () => {
  test.each(['transaction', 'statement'] as const)(
    '%s pooling is refused in one sentence, by a start and by doctor',
    async mode => {
      const { connection } = await createTestDatabase()
      const pooler = await startPgBouncer(mode, connection)
      await expect(migrate(pooler.connection)).rejects.toThrow(
        /^The database cannot be used: it is behind a pooler .* Use session pooling/,
      )
      const { stdout } = await runCommand(['doctor', '--json'], {
        DATABASE_URL: pooler.url,
        RPC_URL_DEVNET: 'http://127.0.0.1:9',
        SOCIAL_TOKEN_SECRET: 'a secret that only the tests know',
      })
      const { checks } = JSON.parse(stdout) as { checks: { name: string; remedy: string }[] }
      expect(checks.find(({ name }) => name === 'database sessions')?.remedy).toMatch(/^Use session pooling/)
    },
  )

  test('with session pooling, a node starts without special settings and survives a restart of the pooler', async () => {
    const { connection } = await createTestDatabase()
    const pooler = await startPgBouncer('session', connection)
    expect(await migrate(pooler.connection)).toBe(0)
    const { url } = await startTestService({ connection: pooler.connection })
    const isListening = async () => /^listings: ok/m.test((await rawRequest(url, '/readyz')).text)
    expect(await isListening()).toBe(true)
    await pooler.restart()
    await expect.poll(isListening, { timeout: 30_000 }).toBe(true)
  })
})
