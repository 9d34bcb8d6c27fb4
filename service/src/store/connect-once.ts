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
