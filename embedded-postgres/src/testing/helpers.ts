import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import pg from 'pg'
import { afterAll, afterEach } from 'vitest'
import { type EmbeddedPostgres, type Options, openEmbeddedPostgres } from '../open-embedded-postgres.ts'
import { isPostgresOf } from '../postmaster.ts'
import type { Places } from '../prepare.ts'

export const here = dirname(fileURLToPath(import.meta.url))
export const isRoot = process.getuid?.() === 0
export const nobody = { uid: 65534, gid: 65534 }
export const installed = resolve(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  '../native',
)

const cleanups: (() => unknown)[] = []

/** Undoes all that a test did, last things first. */
export async function cleanUp(): Promise<void> {
  for (const undo of cleanups.splice(0).reverse()) await undo()
}

afterEach(cleanUp)

export function onCleanUp(undo: () => unknown): void {
  cleanups.push(undo)
}

/** A folder that is gone after the test, with every server that still runs in it. */
export function temporary(mode = 0o755): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-test-')))
  chmodSync(folder, mode)
  onCleanUp(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A DATA_DIR within; the folder around it decides who reaches it. */
export function dataDirIn(folder = temporary()): string {
  const dataDir = join(folder, 'data')
  onCleanUp(() => killServer(dataDir))
  return dataDir
}

/** A folder that all tests of a file use. */
function shared(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-test-')))
  chmodSync(folder, 0o755)
  sharedFolders.push(folder)
  return folder
}

const sharedFolders: string[] = []
afterAll(() => {
  for (const folder of sharedFolders) rmSync(folder, { recursive: true, force: true })
})

let template: Promise<string> | undefined

/** A DATA_DIR with an empty database, copied from one that is made once: for tests of all that comes later. */
export async function madeDataDir(): Promise<string> {
  template ??= (async () => {
    const folder = shared()
    await (await openEmbeddedPostgres({ dataDir: join(folder, 'data'), role: 'owner', log: quiet })).stop()
    return join(folder, 'data')
  })()
  const source = await template
  const dataDir = dataDirIn()
  execFileSync('cp', ['-Rp', source, dataDir])
  return dataDir
}

export function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'db', 'postmaster.pid'), 'utf8'), 10)
}

/** Whether that process still is the server of this folder; an id alone outlives its process where nobody waits for it. */
export function runs(dataDir: string, pid: number): Promise<boolean> {
  return isPostgresOf(realpathSync(join(dataDir, 'db')), pid)
}

async function killServer(dataDir: string): Promise<void> {
  try {
    const pid = postmasterPid(dataDir)
    if (await runs(dataDir, pid)) process.kill(pid, 'SIGKILL')
    while (await runs(dataDir, pid)) await new Promise(done => setTimeout(done, 20))
  } catch {
    // None is running.
  }
}

export const quiet = { info() {}, warn() {}, error() {} }

/** Opens in this process, and stops after the test. */
export async function open(options: Partial<Options> & { dataDir: string }, places?: Places) {
  const opened = await openEmbeddedPostgres({ role: 'owner', log: quiet, ...options }, places)
  onCleanUp(() => opened.stop())
  return opened
}

export async function query({ connection }: Pick<EmbeddedPostgres, 'connection'>, sql: string) {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  return client.query(sql).then(
    ({ rows }) => client.end().then(() => rows),
    error => client.end().then(() => Promise.reject(error)),
  )
}

let bundled: Promise<string> | undefined

/** instance.ts as a file that plain Node runs, for any user. */
export function bundle(outfile?: string, packages: 'external' | 'bundle' = 'bundle'): Promise<string> {
  const make = async (file: string) => {
    await build({
      entryPoints: [join(here, 'instance.ts')],
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages,
      external: ['pg-native', 'pg-cloudflare'],
      banner: {
        js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url)",
      },
    })
    return file
  }
  if (outfile) return make(outfile)
  bundled ??= make(join(shared(), 'instance.mjs'))
  return bundled
}

export interface Instance {
  child: ChildProcess
  connection: EmbeddedPostgres['connection']
  how: string
  logs: Record<string, unknown>[]
  query(sql: string): Promise<unknown[]>
  stop(): Promise<void>
  /** Comes to its end without stopping. */
  leave(): Promise<void>
  kill(): Promise<void>
}

interface InstanceOptions {
  dataDir: string
  role?: 'owner' | 'guest'
  places?: Places
  as?: { uid: number; gid: number }
  env?: Record<string, string>
  file?: string
}

/** Opens in a process of its own. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { dataDir, role = 'owner', places = { native: installed }, as, env, file } = options
  const child = spawn(
    process.execPath,
    [file ?? (await bundle()), JSON.stringify({ dataDir, role, places })],
    { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/', env: { ...process.env, ...env }, ...as },
  )
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onCleanUp(kill)
  const logs: Record<string, unknown>[] = []
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async (): Promise<Record<string, never>> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('the instance ended')
      const message = JSON.parse(value)
      if (message.failed) throw Object.assign(new Error(message.failed), { name: message.name })
      if (!message.log) return message
      logs.push(message.log)
    }
  }
  const { opened } = await answer()
  return {
    ...(opened as unknown as Pick<Instance, 'how' | 'connection'>),
    child,
    logs,
    kill,
    async query(sql) {
      child.stdin.write(`${JSON.stringify({ sql })}\n`)
      return (await answer()).rows as unknown as unknown[]
    },
    stop: () => end({}),
    leave: () => end({ leave: true }),
  }

  async function end(command: object) {
    child.stdin.write(`${JSON.stringify(command)}\n`)
    await answer()
    const [code] = await exited
    if (code !== 0) throw new Error(`the instance ended with code ${code}`)
  }
}

/** A copy of the installed programs, which costs no space. */
export function copyOfBinaries(folder: string): string {
  execFileSync('cp', ['-R', '-P', ...(process.platform === 'linux' ? ['-l'] : []), installed, folder])
  return join(folder, 'native')
}
