import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { PeerGone } from '../lib/peer.ts'
import type { Log } from '../telemetry/log.ts'
import { createWorkerPool } from './worker-pool.ts'

interface Line {
  message: string
  atMs: number
  pauseSeconds?: number
  err?: Error
}

/** A pool of two workers that run a script, and what it logs. The script has `number`, `isFixed`, `tell` and `ask`. */
function createTestPool(script: string, limits: { hungMs?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-pool-'))
  const [program, fixed, behind] = ['worker.mjs', 'fixed', 'behind'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(
    program,
    `import { existsSync } from 'node:fs'
     const number = process.env.SLIPWAY_WORKER
     const isFixed = existsSync(${JSON.stringify(fixed)})
     const behind = ${JSON.stringify(behind)}
     const tell = (name, input) => process.send({ name, input })
     const ask = (name, input) => new Promise(resolve => {
       process.send({ name, input, id: 1 })
       process.on('message', ({ id }) => id === 1 && resolve())
     })
     process.on('message', ({ name }) => {
       if (name === 'stop') process.exit()
       if (name === 'ping') tell('alive', !existsSync(behind))
     })
     process.on('disconnect', () => process.exit())
     ${script}`,
  )
  const lines: Line[] = []
  const silent: number[] = []
  const write = (fields: object, message: string) =>
    lines.push({ ...fields, message, atMs: performance.now() })
  const pool = createWorkerPool({
    count: 2,
    program,
    env: process.env,
    log: { info: write, warn: write, error: write, writeLines() {} } as unknown as Log,
    ...limits,
    handlersOf: () => ({}),
    onServing() {},
    onSilent: ({ number }) => silent.push(number),
    onRetired: async () => {},
    onEnded() {},
  })
  onTestFinished(async () => {
    await pool.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    pool,
    silent,
    /** Those that announce a pause. */
    pauses: () => lines.filter(({ pauseSeconds }) => pauseSeconds !== undefined),
    fix: () => writeFileSync(fixed, ''),
    /** The workers cannot read what they missed, or can again. */
    setBehind: (isBehind: boolean) => (isBehind ? writeFileSync(behind, '') : rmSync(behind)),
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

test('after a new version is installed, a crashed worker is not replaced until all workers are', async () => {
  const {
    pool,
    pauses,
    fix: install,
  } = createTestPool("await ask('version', isFixed ? '2.0.0' : '1.0.0'); tell('serving')")
  await pool.start()
  const serving = () => pool.serving().map(({ number }) => number)
  await expect.poll(serving, WAIT).toEqual([1, 2])
  install()
  const crash = () => process.kill(pool.serving().at(-1)?.pid ?? 0, 'SIGKILL')
  crash()
  await expect
    .poll(() => pauses().find(({ err }) => err)?.err?.message, WAIT)
    .toMatch('version 2.0.0 is installed, but the workers run 1.0.0')
  expect(serving()).toEqual([1])
  await pool.replaceAll()
  await expect.poll(serving, WAIT).toEqual([1, 2])
  // From now on, the new version is the right one.
  const [, second] = pool.serving()
  crash()
  await expect.poll(() => pool.serving()[1]?.pid ?? second?.pid, WAIT).not.toBe(second?.pid)
})

test('nobody waits for a stopped worker, and it serves again once it continues', async () => {
  const { pool, silent } = createTestPool("tell('serving')")
  await pool.start()
  const serving = () => pool.serving().map(({ number }) => number)
  await expect.poll(serving, WAIT).toEqual([1, 2])
  const [worker] = pool.serving()
  process.kill(worker?.pid ?? 0, 'SIGSTOP')
  const asked = expect(worker?.ask('anything')).rejects.toThrow(PeerGone)
  await expect.poll(serving, WAIT).toEqual([2])
  await asked
  await expect(worker?.ask('anything')).rejects.toThrow(PeerGone)
  expect(silent).toEqual([1])
  process.kill(worker?.pid ?? 0, 'SIGCONT')
  await expect.poll(serving, WAIT).toEqual([1, 2])
  expect(pool.serving()[0]).toBe(worker)
})

test('a worker that cannot read what it missed serves nobody, is not ended for it, and comes back by itself', async () => {
  const { pool, silent, setBehind } = createTestPool("tell('serving')", { hungMs: 3_000 })
  await pool.start()
  const serving = () => pool.serving().map(({ pid }) => pid)
  await expect.poll(serving, WAIT).toHaveLength(2)
  const pids = serving()
  setBehind(true)
  await expect.poll(serving, WAIT).toEqual([])
  await sleep(4_000)
  expect(silent.toSorted()).toEqual([1, 2])
  setBehind(false)
  await expect.poll(serving, WAIT).toEqual(pids)
})

const PROGRAM = fileURLToPath(new URL('../../bin/slipway.js', import.meta.url))

test('a worker that cannot start because of the database says so in one line', async () => {
  const pool = createWorkerPool({
    count: 2,
    program: PROGRAM,
    env: {
      PATH: process.env.PATH,
      RPC_URL_DEVNET: 'https://rpc.example',
      SOCIAL_TOKEN_SECRET: 'a secret that only the tests know',
    },
    log: { info() {}, warn() {}, error() {}, writeLines() {} } as unknown as Log,
    handlersOf: () => ({
      foundation: () => ({ connection: { connectionString: 'postgres://127.0.0.1:1/none' }, place: '' }),
    }),
    onServing() {},
    onSilent() {},
    onRetired: async () => {},
    onEnded() {},
  })
  onTestFinished(pool.stop)
  await expect(pool.start()).rejects.toThrow(/^The database /)
})
