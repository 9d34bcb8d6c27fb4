import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

/** The path of a socket may not be longer than about a hundred bytes. */
const PATH_BYTES_MAX = 100

/**
 * Makes sure that one process at a time writes to a folder. The lock is a listening socket: it goes away with its
 * holder, however that one ends, where a file with a process id would outlive a kill and could name a stranger.
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
    if (attempt > 0 || (await answers(path))) {
      throw new StartError(
        `Another process is using the chain in ${directory}. Stop it, or choose another DATA_DIR.`,
      )
    }
    rmSync(path, { force: true })
  }
}

/** Beside the folder, where everyone who opens it looks; in the temporary folder, which may differ, only if it must. */
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
          `The lock ${path} cannot be made (${error.code}). Choose a DATA_DIR on a disk that can be written and takes sockets.`,
        ),
      )
    })
    server.listen(path, () => resolve(server))
  })

const answers = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
