import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../start-error.ts'

/** Loopback only, whatever `HOST` says: anyone who can reach this server can mint money on it. */
export function listenOnLoopback(server: Server, port: number, variable: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES')
        return reject(
          new StartError(`Port ${port} may not be used by this user. Set ${variable} above 1023.`),
        )
      if (error.code !== 'EADDRINUSE') return reject(error)
      reject(
        new StartError(
          `Port ${port} is in use. Stop what listens there, or set ${variable} to another port.`,
        ),
      )
    })
    server.listen({ port, host: '127.0.0.1' }, () => resolve((server.address() as AddressInfo).port))
  })
}
