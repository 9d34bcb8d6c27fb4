import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { spawnOptions } from './run-program.ts'
import type { Setup } from './setup.ts'
import { stopServer } from './stop-server.ts'

export interface Server {
  pid: number
  isRunning(): boolean
  exited: Promise<string>
  stop(): Promise<void>
  /** Lets it run on after we have ended. */
  leave(): void
}

/** Starts the program, in a process group of its own: Ctrl-C must not reach it before the service has drained. */
export async function spawnServer(
  { binaries, pgdata, socketFolder, runAs }: Setup,
  log: number,
): Promise<Server> {
  const command = [...runAs.prefix, binaries.postgres, '-D', pgdata, ...settings(socketFolder)]
  const [program = '', ...args] = command
  const child = spawn(program, args, { ...spawnOptions(runAs), stdio: ['ignore', log, log] })
  await once(child, 'spawn')
  child.unref()
  return toServer(child, child.pid ?? 0)
}

function toServer(child: ChildProcess, pid: number): Server {
  let stopped = false
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const exited = new Promise<string>(resolve => {
    child.once('exit', (code, signal) =>
      resolve(stopped ? 'stopped' : signal ? `signal ${signal}` : `code ${code}`),
    )
  })
  // A process that ends without stop(), on an uncaught error say, takes its server with it.
  const onExit = () => child.kill('SIGINT')
  process.on('exit', onExit)
  exited.then(() => process.off('exit', onExit))
  return {
    pid,
    isRunning,
    exited,
    leave: () => void process.off('exit', onExit),
    async stop() {
      stopped = true
      await stopServer(pid, isRunning)
    },
  }
}

function settings(socketFolder: string): string[] {
  const all = {
    listen_addresses: '',
    // A list: quoted, so that a comma in the path is part of it.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    log_checkpoints: 'off',
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
