import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A TCP proxy. While frozen, it accepts connections but forwards nothing; once stopped, it accepts none. */
export async function startFreezingProxy(target: NetConnectOpts) {
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(target)
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
  const { port } = server.address() as AddressInfo
  const proxy = { host: '127.0.0.1', port, isFrozen: false, stop }
  function stop() {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  onTestFinished(stop)
  return proxy
}

/** A proxy between a node and a database on a socket. */
export async function startPostgresProxy<C extends { host: string; port: number }>(connection: C) {
  const proxy = await startFreezingProxy({ path: join(connection.host, `.s.PGSQL.${connection.port}`) })
  const { host, port } = proxy
  return Object.assign(proxy, { connection: { ...connection, host, port } })
}
