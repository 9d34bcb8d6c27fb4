import { fork, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/** A fresh process that carries out one task after another. */
export interface Child {
  call<T>(name: string, input: unknown): Promise<T>
  stop(): void
}

interface Reply {
  result?: unknown
  error?: string
}

/**
 * Starts a process, pinned to `core` if the system supports that: a load must not share a core with what it measures.
 */
export function startChild(core?: number): Child {
  const pin = core !== undefined && canPin() ? ['taskset', '--cpu-list', `${core}`, process.execPath] : []
  const [execPath = process.execPath, ...execArgv] = pin
  const child = fork(fileURLToPath(new URL('main.js', import.meta.url)), ['child'], {
    // Its log is written, but discarded by the system.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execPath,
    execArgv: [...execArgv, '--expose-gc'],
  })
  return {
    call: <T>(name: string, input: unknown) =>
      new Promise<T>((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`${name} exited with code ${code}`))
        child.once('exit', onExit)
        child.once('message', ({ result, error }: Reply) => {
          child.off('exit', onExit)
          if (error) reject(new Error(error))
          else resolve(result as T)
        })
        child.send({ name, input })
      }),
    stop: () => child.kill('SIGKILL'),
  }
}

const canPin = () => availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** Runs in the child and answers the calls of the parent. */
export function answerCalls(tasks: Record<string, (input: never) => Promise<unknown>>): void {
  process.on('message', async ({ name, input }: { name: string; input: never }) => {
    try {
      process.send?.({ result: await tasks[name]?.(input) })
    } catch (error) {
      process.send?.({ error: error instanceof Error ? error.stack : String(error) })
    }
  })
  process.on('disconnect', () => process.exit())
}

export interface Usage {
  cpuMicros: number
  megabytes: number
  peakMegabytes: number
}

/** The CPU time of the process so far, and its memory now and at its peak. */
export async function usage(): Promise<Usage> {
  const { user, system } = process.cpuUsage()
  return {
    cpuMicros: user + system,
    megabytes: process.memoryUsage.rss() / 2 ** 20,
    peakMegabytes: process.resourceUsage().maxRSS / 1_024,
  }
}

/** How often two sides are compared. The order alternates, so that neither always comes first. */
export const TURNS = Number(process.env.BENCH_PAIRS ?? 6)

/**
 * Runs a task once per turn, each time in a fresh process. The task gets its input and whether the reference goes
 * first.
 */
export async function measureInTurns<T>(task: string, input: unknown): Promise<T[]> {
  const results: T[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    const child = startChild()
    results.push(await child.call<T>(task, [input, turn % 2 === 0]))
    child.stop()
  }
  return results
}
