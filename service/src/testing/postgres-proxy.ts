import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * A proxy between a node and a database on a socket. While frozen, it accepts connections but forwards nothing; once
 * stopped, it accepts none.
 */
export async function startPostgresProxy<C extends { host: string; port: number }>(connection: C) {
  const sockets = new Set<Socket>()
  const proxy = { connection, isFrozen: false, stop }
  const server = createServer(near => {
    const far = connect(join(connection.host, `.s.PGSQL.${connection.port}`))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', chunk => proxy.isFrozen || to.write(chunk))
      from.on('error', () => {})
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  function stop() {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  onTestFinished(stop)
  proxy.connection = { ...connection, host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  return proxy
}
