import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
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
