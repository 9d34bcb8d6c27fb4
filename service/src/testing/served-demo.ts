import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { copyDemoWorld } from './demo-copy.ts'
import { runCommand } from './run-command.ts'
import { freePort, runSlipway } from './run-slipway.ts'
import { createTestConnection, MIGRATED, toDatabaseUrl } from './test-database.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** A service with the demo in a process of its own, for all tests of a file: starting one takes seconds. */
export function useServedDemo(variables: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-served-'))
  const ends: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })]
  let env: Record<'DATA_DIR' | 'PORT' | 'LOCAL_CHAIN_PORT' | 'DATABASE_URL' | 'LOCAL_CHAIN', string>
  let service: ReturnType<typeof runSlipway>
  let commands: string[]
  beforeAll(async () => {
    const connection = await createTestConnection(end => ends.push(end), MIGRATED)
    env = {
      DATA_DIR: dataDir,
      PORT: await freePort(),
      LOCAL_CHAIN: 'on',
      LOCAL_CHAIN_PORT: await copyDemoWorld(dataDir),
      DATABASE_URL: toDatabaseUrl(connection),
    }
    service = runSlipway(['serve'], { ...env, ...variables }, { onEnd: end => ends.push(end) })
    commands = (await service.serving()).commands ?? []
  }, 240_000)
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })
  return {
    root: ROOT,
    dataDir,
    get env() {
      return env
    },
    get url() {
      return `http://localhost:${env.PORT}`
    },
    /** The commands that the service proposes. */
    get commands() {
      return commands
    },
    readDemoFile: () => JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')),
    /** Runs a command of the command line in this process. */
    run: (...args: string[]) => runCommand(args, env),
    /** Runs a program in `examples/` and returns what it prints. */
    async runExample(name: string, ...args: string[]): Promise<string> {
      const options = {
        env: { ...process.env, DATA_DIR: dataDir, SLIPWAY_URL: `http://localhost:${env.PORT}` },
      }
      return (await promisify(execFile)(process.execPath, [join(ROOT, 'examples', name), ...args], options))
        .stdout
    },
    /** Returns the exit code. */
    async stop(): Promise<number | null> {
      service.child.kill('SIGTERM')
      return (await service.finished).code
    },
  }
}
