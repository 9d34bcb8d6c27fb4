import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

/** Socket paths are limited to about a hundred bytes. */
const PATH_BYTES_MAX = 100

/**
 * Locks a folder for one process. The lock is a listening socket, which closes with its process, however that ends. A
 * file with a process id would outlive a kill and could name an unrelated process later.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = socketPath(realpathSync(directory))
  for (let attempt = 0; ; attempt++) {
    const server = await listen(path)
    if (server) {
      server.unref()
      return () => new Promise(resolve => server.close(() => resolve()))
    }
    if (attempt > 0 || (await isListening(path))) {
      throw new StartError(
        `Another process is using the chain in ${directory}. Stop it, or choose another DATA_DIR.`,
      )
    }
    rmSync(path, { force: true })
  }
}

/**
 * Next to the folder, if the path is short enough. The temporary folder, which can differ by process, is the
 * fallback.
 */
function socketPath(directory: string): string {
  const beside = `${directory}.lock`
  if (Buffer.byteLength(beside) <= PATH_BYTES_MAX) return beside
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 24)
  return join(tmpdir(), `slipway-chain-${name}.sock`)
}

const listen = (path: string): Promise<Server | undefined> =>
  new Promise((resolve, reject) => {
    const server = createServer(socket => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return resolve(undefined)
      reject(
        new StartError(
          `The lock ${path} cannot be created (${error.code}). Choose a DATA_DIR on a writable disk that supports Unix sockets.`,
        ),
      )
    })
    server.listen(path, () => resolve(server))
  })

const isListening = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
