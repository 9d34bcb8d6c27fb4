import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../start-error.ts'

/** A server that keeps nobody for ever: a peer that falls silent, before or in the middle of what it says, is let go. */
export function createPatientServer(listener: RequestListener): Server {
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
 * Loopback only, whatever `HOST` says: anyone who can reach this server can mint money on it. `remedy` ends what is
 * said of a port that cannot be had.
 */
export function listenOnLoopback(
  server: Server,
  port: number,
  remedy = 'set LOCAL_CHAIN_PORT to another port',
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES')
        return reject(
          new StartError(`Port ${port} may not be used by this user: take one above 1023, or ${remedy}.`),
        )
      if (error.code !== 'EADDRINUSE') return reject(error)
      reject(new StartError(`Port ${port} is in use. Stop what listens there, or ${remedy}.`))
    })
    server.listen({ port, host: '127.0.0.1' }, () => resolve((server.address() as AddressInfo).port))
  })
}
