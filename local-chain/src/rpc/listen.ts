import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Loopback only, whatever `HOST` says: anyone who can reach this server can mint money on it. */
export function listenOnLoopback(server: Server, port: number, variable: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      reject(
        new Error(`Port ${port} is in use. Stop what listens there, or set ${variable} to another port.`),
      )
    })
    server.listen({ port, host: '127.0.0.1' }, () => resolve((server.address() as AddressInfo).port))
  })
}
