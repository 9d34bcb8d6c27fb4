import type { Server } from 'node:http'

/** Starts the server on a free port and returns the port. */
export function listen(server: Server): Promise<number> {
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}
