import { startChild } from './child.ts'

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
