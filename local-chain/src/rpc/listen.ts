import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PORT_OFFSETS } from '../ports.ts'
import { StartError } from '../start-error.ts'

/** An HTTP server that disconnects clients that send nothing or stop in the middle of a request. */
export function createServerWithTimeouts(listener: RequestListener): Server {
  const server = createServer({ connectionsCheckingInterval: 1_000 }, listener)
  server.headersTimeout = 10_000
  server.requestTimeout = 20_000
  server.keepAliveTimeout = 60_000
  return server
}

export const stopServer = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/**
 * Listens on loopback only, whatever `HOST` says: anyone who can reach this server can create lamports. `hint` is the
 * end of the error message for a port that is not available.
 */
export function listenOnLoopback(
  server: Server,
  port: number,
  hint = `set LOCAL_CHAIN_PORT to another port n, where ${listPorts()} are free`,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES')
        return reject(
          new StartError(
            `Port ${port} needs privileges that this user lacks: use one above 1023, or ${hint}.`,
          ),
        )
      if (error.code !== 'EADDRINUSE') return reject(error)
      reject(new StartError(`Port ${port} is in use. Stop the process that listens there, or ${hint}.`))
    })
    server.listen({ port, host: '127.0.0.1' }, () => resolve((server.address() as AddressInfo).port))
  })
}

function listPorts(): string {
  const names = PORT_OFFSETS.map(offset => (offset === 0 ? 'n' : `n+${offset}`))
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
