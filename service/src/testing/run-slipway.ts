import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { PORT_OFFSETS } from '@slipway/local-chain/ports'
import { onTestFinished } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../../bin/slipway.js', import.meta.url))

/** A start takes seconds, and minutes if the machine is very busy. */
const PRINT_MS_MAX = 150_000

interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** The parts that tests read. */
interface ServingLine {
  site?: string
  launches: Record<string, number>
  metrics?: string
  chains?: { rpc: Record<string, string> }
  commands?: string[]
}

interface RunOptions {
  onEnd?(kill: () => Promise<void>): void
  program?: string
  node?: string
  /** File descriptors. */
  stdout?: number
  stderr?: number
}

/**
 * Runs the command line in a process of its own, as an operator would. It is killed when the test ends, or when
 * `onEnd` calls back.
 */
export function runSlipway(
  args: string[],
  env: Record<string, string>,
  { onEnd = onTestFinished, program = PROGRAM, node = process.execPath, ...output }: RunOptions = {},
) {
  const { PATH = '', HOME = '', TEST_CHAIN = 'today' } = process.env
  // Most tests need no pages.
  const child: ChildProcess = spawn(node, [program, ...args], {
    env: { PATH, HOME, TEST_CHAIN, SITE: 'off', ...env },
    stdio: ['pipe', output.stdout ?? 'pipe', output.stderr ?? 'pipe'],
  })
  // Until it has ended, it may write to a folder that the test removes.
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  onEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', chunk => {
    stdout += chunk
  })
  child.stderr?.on('data', chunk => {
    stderr += chunk
  })
  const finished = new Promise<Finished>(resolve => {
    child.on('close', code => resolve({ code, stdout, stderr: withoutProgress(stderr) }))
  })
  const wait = async <Found>(what: string, find: () => Found | undefined): Promise<Found> => {
    const deadline = Date.now() + PRINT_MS_MAX
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`${what} was never printed:\n${stderr}${stdout}`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  return {
    child,
    finished,
    /** Everything that was logged so far. */
    log: () => stdout,
    /** Resolves with everything on standard error once that contains `text`. */
    printed: (text: string) => wait(`"${text}"`, () => (stderr.includes(text) ? stderr : undefined)),
    /** Resolves with the log line that says what runs where, once the service has started. */
    serving: () =>
      wait('"serving"', () => {
        const line = /^.*"msg":"serving"\}$/m.exec(stdout)?.[0]
        return line === undefined ? undefined : (JSON.parse(line) as ServingLine)
      }),
  }
}

/** Each test process has its own part of the range between those of chains and of systems. */
const PORTS = { from: 30_000 + 690 * (Number(process.env.VITEST_POOL_ID ?? 0) % 4), count: 690 }
let portsTaken = randomInt(PORTS.count)

/** A free port that nothing else is given until the caller listens. */
export async function freePort(): Promise<string> {
  for (;;) {
    portsTaken += 1
    const port = await listenBriefly(PORTS.from + (portsTaken % PORTS.count))
    if (port !== undefined) return `${port}`
  }
}

/**
 * A free LOCAL_CHAIN_PORT. The range is below the one from which systems assign ports, and each test process has its
 * own part of it.
 */
export async function freeChainPort(): Promise<string> {
  for (;;) {
    const base = 10_000 + 5_000 * (Number(process.env.VITEST_POOL_ID ?? 0) % 4) + randomInt(4_800)
    const ports = await Promise.all(PORT_OFFSETS.map(offset => listenBriefly(base + offset)))
    if (ports.every(port => port !== undefined)) return `${base}`
  }
}

/** The port, or undefined if it is in use. */
function listenBriefly(wanted: number): Promise<number | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(wanted)))
  })
}

/** Without `Opening the store (5 s)`: only a busy machine needs long enough to say so. How far a read has come stays. */
export const withoutProgress = (stderr: string): string => stderr.replace(/^[A-Z].* \(\d+ s\)\n/gm, '')
