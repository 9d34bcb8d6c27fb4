import { join } from 'node:path'
import { startFreezingProxy } from './freezing-proxy.ts'

/** A proxy between a node and a database on a socket. */
export async function startPostgresProxy<C extends { host: string; port: number }>(connection: C) {
  const proxy = await startFreezingProxy({ path: join(connection.host, `.s.PGSQL.${connection.port}`) })
  const { host, port } = proxy
  return Object.assign(proxy, { connection: { ...connection, host, port } })
}
