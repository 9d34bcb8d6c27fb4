import { connect, createServer, type Socket } from 'node:net'

/** Sits between the service and its RPC, and can stop answering without closing a connection. */
export interface Forwarder {
  readonly port: number
  hang(): void
  resume(): void
  close(): void
}

export async function startForwarder(toPort: number): Promise<Forwarder> {
  const sockets = new Set<Socket>()
  let isHanging = false
  const closeAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', chunk => {
      if (!isHanging) to.write(chunk)
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer(socket => {
    const upstream = connect(toPort, '127.0.0.1')
    forward(socket, upstream)
    forward(upstream, socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    hang() {
      isHanging = true
    },
    resume() {
      isHanging = false
      // Bytes were dropped, so these connections can't be used any more.
      closeAll()
    },
    close() {
      server.close()
      closeAll()
    },
  }
}
