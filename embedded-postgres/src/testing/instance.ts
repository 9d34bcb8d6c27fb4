/** A service or a command in a process of its own, for tests that kill it or run it as another user. */
import { createInterface } from 'node:readline'
import pg from 'pg'
import { openEmbeddedPostgres } from '../open-embedded-postgres.ts'

const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)
const log = (level: string) => (fields: object, message: string) =>
  say({ log: { level, ...fields, message } })
const { places, ...options } = JSON.parse(process.argv[2] ?? '{}')

// The test that started us ended: so do we.
process.stdin.on('end', () => process.exit(1))

let leaves = false

try {
  const opened = await openEmbeddedPostgres(
    { ...options, log: { info: log('info'), warn: log('warn'), error: log('error') } },
    places,
  )
  say({ opened: { how: opened.how, connection: opened.connection } })
  for await (const line of createInterface({ input: process.stdin })) {
    const { sql, leave } = JSON.parse(line)
    leaves = leave
    if (!sql) break
    const client = new pg.Client(opened.connection)
    client.on('error', () => {})
    try {
      await client.connect()
      say({ rows: (await client.query(sql)).rows })
    } catch (error) {
      say({ failed: String(error) })
    }
    await client.end().catch(() => {})
  }
  // From here on nothing but stop itself may keep the process alive, nor may it after that.
  process.stdin.removeAllListeners('end').destroy()
  if (!leaves) await opened.stop()
  say({ stopped: true })
} catch (error) {
  const { name, message } = error as Error
  say({ failed: message, name })
  process.exit(2)
}
