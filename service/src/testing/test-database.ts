import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { type ConnectionOptions, type Database, openDatabase } from '../store/database.ts'

/** The database that `shared-postgres.ts` migrates, to be copied. */
export const MIGRATED = 'migrated'

type TestConnection = Exclude<ConnectionOptions, { connectionString: string }>

/**
 * A database of the test's own, empty or a copy of the template, dropped when the test ends, or else when `onEnd` calls
 * back.
 */
export async function createTestConnection(
  onEnd: (drop: () => Promise<void>) => void = onTestFinished,
  template = 'template1',
): Promise<TestConnection> {
  const server = inject('postgres')
  const name = `test_${randomBytes(6).toString('hex')}`
  // Without fsync, copying the files takes half the time of writing every block to the log.
  await runOnServer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  onEnd(async () => {
    await runOnServer(`DROP DATABASE ${name} WITH (FORCE)`)
  })
  return { ...server, database: name }
}

/** The same, with this version's tables. */
export async function createTestDatabase(): Promise<{ connection: TestConnection; database: Database }> {
  const connection = await createTestConnection(onTestFinished, MIGRATED)
  const observer = { onQuery: () => {}, onConnectionLost: () => {} }
  // A busy machine may take long.
  const database = openDatabase(connection, observer, { connectMs: 30_000, statementMs: 30_000 })
  onTestFinished(() => database.close())
  return { connection, database }
}

/**
 * Puts an embedded database with this version's tables into a DATA_DIR, for a service that is not about creating one.
 */
export function copyEmbeddedDatabase(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  // The server may run as another user, who must be able to pass through.
  execFileSync('chmod', ['711', dataDir])
  execFileSync('cp', ['-Rp', inject('migratedFolder'), join(dataDir, 'db')])
}

/** The value of DATABASE_URL for this database. */
export const toDatabaseUrl = ({ host, port, user, database }: TestConnection): string =>
  `postgres:///${database}?host=${encodeURIComponent(`${host}`)}&port=${port}&user=${user}`

export async function runSql(connection: ConnectionOptions, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

/** One connection for all databases of a worker: opening one takes the server as long as copying a database. */
let server: Promise<pg.Client> | undefined

async function runOnServer(sql: string): Promise<void> {
  server ??= connectToServer()
  await (await server).query(sql)
}

async function connectToServer(): Promise<pg.Client> {
  const client = new pg.Client(inject('postgres'))
  // Without a listener, the end of the server would end this process too.
  client.on('error', () => {})
  client.once('end', () => {
    server = undefined
  })
  await client.connect().catch(error => {
    server = undefined
    throw error
  })
  return client
}
