import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../start-error.ts'

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
