import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Log } from '../telemetry/log.ts'
import { createWorkerPool } from './worker-pool.ts'

interface Line {
  message: string
  atMs: number
  pauseSeconds?: number
}

/** A pool of two workers that run a script, and what it logs. The script has `number`, `tell` and `isFixed`. */
function createTestPool(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-pool-'))
  const [program, fixed] = [join(folder, 'worker.mjs'), join(folder, 'fixed')]
  writeFileSync(
    program,
    `import { existsSync } from 'node:fs'
     const number = process.env.SLIPWAY_WORKER
     const isFixed = existsSync(${JSON.stringify(fixed)})
     const tell = name => process.send({ name })
     process.on('message', ({ name }) => name === 'stop' && process.exit())
     process.on('disconnect', () => process.exit())
     ${script}`,
  )
  const lines: Line[] = []
  const write = (fields: object, message: string) =>
    lines.push({ ...fields, message, atMs: performance.now() })
  const pool = createWorkerPool({
    count: 2,
    program,
    env: process.env,
    log: { info: write, error: write, writeLines() {} } as unknown as Log,
    connectionsPerClient: 1,
    handlersOf: () => ({}),
    onServing() {},
    onRetired: async () => {},
    onEnded() {},
  })
  onTestFinished(async () => {
    await pool.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    pool,
    /** Those that announce a pause. */
    pauses: () => lines.filter(({ pauseSeconds }) => pauseSeconds !== undefined),
    fix: () => writeFileSync(fixed, ''),
  }
}

const WAIT = { timeout: 60_000 }

test.each([
  ['that can not start', "if (number === '1' || isFixed) tell('serving'); else process.exit(1)"],
  ['that ends as soon as it serves', "tell('serving'); if (number === '2' && !isFixed) process.exit(1)"],
])('a worker %s is tried again after a pause that grows, and at once on request', async (_, script) => {
  const { pool, pauses, fix } = createTestPool(script)
  await pool.start()
  await expect.poll(() => pauses().length, WAIT).toBeGreaterThanOrEqual(2)
  const [first, second] = pauses() as [Line, Line]
  expect([first.pauseSeconds, second.pauseSeconds]).toEqual([1, 2])
  // A timer may end a little early.
  expect(second.atMs - first.atMs).toBeGreaterThan(950)
  fix()
  await pool.replaceAll()
  await expect.poll(() => pool.serving().map(({ number }) => number), WAIT).toEqual([1, 2])
})
