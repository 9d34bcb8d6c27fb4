import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import pg from 'pg'
import { afterEach, inject } from 'vitest'
import type { EmbeddedPostgres, Options } from '../api.ts'
import { openEmbeddedPostgres } from '../open-embedded-postgres.ts'
import { isPostgresOf } from '../postmaster.ts'
import type { Overrides } from '../prepare.ts'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const isRoot = process.getuid?.() === 0
export const nobody = { uid: 65534, gid: 65534 }
const installedBinaries = resolve(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  '../native',
)

const cleanups: (() => unknown)[] = []

/** Runs the clean-up functions of a test, the last one first. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

export function onCleanUp(cleanup: () => unknown): void {
  cleanups.push(cleanup)
}

/** Creates a folder that is removed after the test. */
export function temporaryFolder(mode = 0o755): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-test-')))
  chmodSync(folder, mode)
  onCleanUp(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/**
 * Returns a DATA_DIR in a folder whose mode decides who can reach it. A server that still runs after the test is
 * killed.
 */
export function dataDirIn(folder = temporaryFolder()): string {
  const dataDir = join(folder, 'data')
  onCleanUp(() => killServer(dataDir))
  return dataDir
}

/** Creates a folder that is removed after all tests of all files. */
function sharedFolder(): string {
  const folder = realpathSync(mkdtempSync(join(inject('demoWorlds'), 'postgres-')))
  chmodSync(folder, 0o755)
  return folder
}

let template: Promise<string> | undefined
let bundled: Promise<string> | undefined

/** Call this once in each test file. Hooks of a module would apply only to the first file that imports it. */
export function useCleanUp(): void {
  afterEach(cleanUp)
}

/** Returns a DATA_DIR with an empty database. A copy is faster than initdb. */
export async function initializedDataDir(folder?: string): Promise<string> {
  template ??= (async () => {
    const folder = sharedFolder()
    await (await openEmbeddedPostgres({ dataDir: join(folder, 'data'), role: 'owner', log: quiet })).stop()
    return join(folder, 'data')
  })()
  const source = await template
  const dataDir = dataDirIn(folder)
  execFileSync('cp', ['-Rp', source, dataDir])
  return dataDir
}

export function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'db', 'postmaster.pid'), 'utf8'), 10)
}

/** Checks more than the process id, because the id of a zombie process is still in use. */
export function isServerRunning(dataDir: string, pid: number): Promise<boolean> {
  return isPostgresOf(realpathSync(join(dataDir, 'db')), pid)
}

async function killServer(dataDir: string): Promise<void> {
  try {
    const pid = postmasterPid(dataDir)
    if (await isServerRunning(dataDir, pid)) process.kill(pid, 'SIGKILL')
    while (await isServerRunning(dataDir, pid)) await new Promise(done => setTimeout(done, 20))
  } catch {
    // No server is running.
  }
}

export const quiet = { info() {}, warn() {}, error() {} }

/** Opens a database in this process and stops it after the test. */
export async function open(options: Partial<Options> & { dataDir: string }, overrides?: Overrides) {
  const opened = await openEmbeddedPostgres({ role: 'owner', log: quiet, ...options }, overrides)
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

/** Bundles instance.ts into a file that plain Node can run as any user. */
export function bundle(outfile?: string, packages: 'external' | 'bundle' = 'bundle'): Promise<string> {
  const write = async (file: string) => {
    await build({
      entryPoints: [fileURLToPath(new URL('instance.ts', import.meta.url))],
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
  if (outfile) return write(outfile)
  bundled ??= write(join(sharedFolder(), 'instance.mjs'))
  return bundled
}

export interface Instance {
  child: ChildProcess
  connection: EmbeddedPostgres['connection']
  startedHere: boolean
  logs: Record<string, unknown>[]
  query(sql: string): Promise<unknown[]>
  stop(): Promise<void>
  /** Lets the process exit without calling stop(). */
  exitWithoutStop(): Promise<void>
  kill(): Promise<void>
}

interface InstanceOptions {
  dataDir: string
  role?: 'owner' | 'guest'
  overrides?: Overrides
  as?: { uid: number; gid: number }
  env?: Record<string, string>
  file?: string
}

/** Opens a database in a separate process. */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { dataDir, role = 'owner', overrides = { binaries: installedBinaries }, as, env, file } = options
  const child = spawn(
    process.execPath,
    [file ?? (await bundle()), JSON.stringify({ dataDir, role, overrides })],
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
  const readMessage = async (): Promise<Record<string, never>> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('the instance exited')
      const message = JSON.parse(value)
      if (message.failed) throw Object.assign(new Error(message.failed), { name: message.name })
      if (!message.log) return message
      logs.push(message.log)
    }
  }
  const { opened } = await readMessage()
  return {
    ...(opened as unknown as Pick<Instance, 'startedHere' | 'connection'>),
    child,
    logs,
    kill,
    async query(sql) {
      child.stdin.write(`${JSON.stringify({ sql })}\n`)
      return (await readMessage()).rows as unknown as unknown[]
    },
    stop: () => end({}),
    exitWithoutStop: () => end({ exitWithoutStop: true }),
  }

  async function end(command: object) {
    child.stdin.write(`${JSON.stringify(command)}\n`)
    await readMessage()
    const [code] = await exited
    if (code !== 0) throw new Error(`the instance exited with code ${code}`)
  }
}

/** Copies the installed programs, if possible with hard links, which take no space. */
export function copyInstalledBinaries(folder: string): string {
  const canLink = process.platform === 'linux' && statSync(folder).dev === statSync(installedBinaries).dev
  execFileSync('cp', ['-R', '-P', ...(canLink ? ['-l'] : []), installedBinaries, folder])
  return join(folder, 'native')
}
