import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stopServer } from './postmaster.ts'
import type { Setup } from './prepare.ts'
import { spawnOptions } from './run-as.ts'

export interface ServerProcess {
  pid: number
  isRunning(): boolean
  /** How the process ended: 'stopped' by us, or its exit code or signal. */
  exited: Promise<string>
  stop(): Promise<void>
  /** Lets the server outlive this process. */
  detach(): void
}

/** Spawns the server. Ctrl-C must not reach it before the service has finished its work. */
export async function spawnServer(
  { binaries, dataDir, socketFolder, runAs, connections }: Setup,
  logFd: number,
): Promise<ServerProcess> {
  const command = [
    ...runAs.prefix,
    binaries.postgres,
    '-D',
    dataDir.pgdata,
    ...settings(socketFolder, connections),
  ]
  const [program = '', ...args] = command
  const child = spawn(program, args, { ...spawnOptions(runAs), stdio: ['ignore', logFd, logFd] })
  await once(child, 'spawn')
  child.unref()
  return toServerProcess(child, child.pid ?? 0)
}

function toServerProcess(child: ChildProcess, pid: number): ServerProcess {
  let stopped = false
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const exited = new Promise<string>(resolve => {
    child.once('exit', (code, signal) =>
      resolve(stopped ? 'stopped' : signal ? `signal ${signal}` : `code ${code}`),
    )
  })
  // If this process exits without calling stop(), for example on an uncaught error, the server stops too.
  const onExit = () => child.kill('SIGINT')
  process.on('exit', onExit)
  exited.then(() => process.off('exit', onExit))
  return {
    pid,
    isRunning,
    exited,
    detach: () => void process.off('exit', onExit),
    async stop() {
      stopped = true
      await stopServer(pid, isRunning)
    },
  }
}

/** PostgreSQL's own limit. */
const connectionsDefault = 100
/** For commands, superusers and sessions that have not quite ended. */
const connectionsSpare = 20

function settings(socketFolder: string, connections = 0): string[] {
  const all = {
    listen_addresses: '',
    // This setting is a list: the quotes make a comma part of the path.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    log_checkpoints: 'off',
    ...(connections + connectionsSpare > connectionsDefault && {
      max_connections: `${connections + connectionsSpare}`,
    }),
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
