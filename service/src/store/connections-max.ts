import { connectOnce } from './connect-once.ts'
import type { ConnectionOptions } from './database.ts'

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
