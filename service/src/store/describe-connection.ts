import pg from 'pg'
import type { ConnectionOptions } from './database.ts'

const DEFAULT_PORT = 5432

/**
 * The server and database that `pg` connects to, with its defaults, but never the user, the password or other
 * options.
 */
export function describeConnection(connection: ConnectionOptions): string {
  const { host, port, database = '' } = new pg.Client(connection)
  if (host.startsWith('/')) return `postgres:///${database} (socket in ${host})`
  const name = host.includes(':') ? `[${host}]` : host
  return `postgres://${name}${port === DEFAULT_PORT ? '' : `:${port}`}/${database}`
}
