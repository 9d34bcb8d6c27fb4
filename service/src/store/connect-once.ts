import pg from 'pg'
import type { ConnectionOptions } from './database.ts'

const CONNECT_TIMEOUT_MS = 5_000

/**
 * One connection. Also rejects for an unusable URL: `pg` reads certificates while parsing it and throws if they are
 * missing.
 */
export async function connectOnce(
  connection: ConnectionOptions,
  application: string,
  options: pg.ClientConfig = {},
): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    ...options,
    application_name: application,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // An unhandled error event would end the process; the running query reports the error too.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** How many connections the server allows to all roles but superusers. */
export const CONNECTIONS_MAX =
  "current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"

/** Rejects if the server can't be reached. */
export async function readConnectionsMax(connection: ConnectionOptions): Promise<number> {
  const client = await connectOnce(connection, 'slipway-start')
  try {
    const { rows } = await client.query<{ max: number }>(`SELECT ${CONNECTIONS_MAX} AS max`)
    return rows[0]?.max ?? Number.POSITIVE_INFINITY
  } finally {
    await client.end().catch(() => {})
  }
}
