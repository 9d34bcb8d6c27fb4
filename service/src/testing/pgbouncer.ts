import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { startPostgresProxy } from './freezing-proxy.ts'
import { freePort } from './run-slipway.ts'

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0

/** A real PgBouncer in front of a database on a socket. */
export async function startPgBouncer(
  mode: 'session' | 'transaction' | 'statement',
  server: { host: string; port: number; user: string; database: string },
) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-pgbouncer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // It refuses to run as root, and then changes to another user.
  await chmod(folder, 0o755)
  // That user can't open the server's socket.
  const proxy = await startPostgresProxy(server)
  const port = Number(await freePort())
  const path = join(folder, 'pgbouncer.ini')
  await writeFile(
    path,
    [
      '[databases]',
      `* = host=${proxy.host} port=${proxy.port} user=${server.user}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      'default_pool_size = 40',
      '',
    ].join('\n'),
  )
  await chmod(path, 0o644)
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  let child = await start()
  onTestFinished(stop)

  async function start() {
    const started = spawn('pgbouncer', [...asUser, '-q', path], { stdio: 'ignore' })
    for (let isUp = false; !isUp; ) {
      await sleep(20)
      if (started.exitCode !== null) throw new Error('PgBouncer did not start')
      isUp = await canConnect(port)
    }
    return started
  }
  async function stop() {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    connection: { host: '127.0.0.1', port, user: server.user, database: server.database },
    url: `postgres://${server.user}@127.0.0.1:${port}/${server.database}`,
    /** Cuts all connections. */
    async restart() {
      await stop()
      child = await start()
    },
  }
}

const canConnect = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(false))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
