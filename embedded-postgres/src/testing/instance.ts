/** A service or a command in a separate process, for tests that kill it or run it as another user. */
import { createInterface } from 'node:readline'
import pg from 'pg'
import { openEmbeddedPostgres } from '../open-embedded-postgres.ts'

const send = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)
const log = (level: string) => (fields: object, message: string) =>
  send({ log: { level, ...fields, message } })
const { overrides, ...options } = JSON.parse(process.argv[2] ?? '{}')

// The input ends when the test process does.
process.stdin.on('end', () => process.exit(1))

let exitWithoutStop = false

try {
  const { connection, startedHere, stop } = await openEmbeddedPostgres(
    { ...options, log: { info: log('info'), warn: log('warn'), error: log('error') } },
    overrides,
  )
  send({ opened: { connection, startedHere } })
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line)
    exitWithoutStop = command.exitWithoutStop
    if (!command.sql) break
    const client = new pg.Client(connection)
    client.on('error', () => {})
    try {
      await client.connect()
      send({ rows: (await client.query(command.sql)).rows })
    } catch (error) {
      send({ failed: String(error) })
    }
    await client.end().catch(() => {})
  }
  // From here on, only stop() may keep the process alive, and nothing may do so after it.
  process.stdin.removeAllListeners('end').destroy()
  if (!exitWithoutStop) await stop()
  send({ stopped: true })
} catch (error) {
  const { name, message } = error as Error
  send({ failed: message, name })
  process.exit(2)
}
