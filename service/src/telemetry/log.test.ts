import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { CLEAR_LINE } from '../lib/terminal.ts'
import { runScript } from '../testing/run-script.ts'
import { createLog, describeError } from './log.ts'

/** Runs a script that has a log in a process of its own, and returns its standard output. */
const runWithLog = (script: string) =>
  runScript(import.meta.url, `import { createLog } from './log.ts'\nconst log = createLog('info')\n${script}`)

test('every line is written in order before the process exits, in any script and of any length', async () => {
  const output = await runWithLog(`
    for (let at = 0; at < 3_000; at += 1) {
      log.writeLines(JSON.stringify({ at: 2 * at, text: 'x'.repeat(at % 90) }) + '\\n')
      log.info({ at: 2 * at + 1 }, at === 1_000 ? '🚢'.repeat(40_000) : 'ünïcode')
    }
    process.exit(0)
  `)
  const lines = output.trimEnd().split('\n')
  expect(lines.map(line => JSON.parse(line).at)).toEqual(Array.from({ length: 6_000 }, (_, at) => at))
  expect(JSON.parse(lines[2_001] as string).msg).toBe('🚢'.repeat(40_000))
  expect(JSON.parse(lines[1] as string)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    at: 1,
    msg: 'ünïcode',
  })
})

test('a line is written soon, without waiting for others', async () => {
  const output = await runWithLog(`
    log.info('alone')
    // Ends without a flush at exit.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1_500)
  `)
  expect(output).toContain('"msg":"alone"')
})

test('in a terminal, every line is readable, including those that bypass pino', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'terminal')
  const fd = openSync(path, 'w')
  const log = createLog('info', { stream: { fd, isTTY: true }, env: { NO_COLOR: '1' } })
  log.info({ at: 1 }, 'first')
  log.writeLines(`${JSON.stringify({ level: 'info', time: new Date(), at: 2, msg: 'second' })}\n`)
  closeSync(fd)
  const lines = readFileSync(path, 'utf8').replaceAll(CLEAR_LINE, '')
  expect(lines).toMatch(/^\d\d:\d\d:\d\d info {2}first at=1\n\d\d:\d\d:\d\d info {2}second at=2\n$/)
})

test('an error is logged with its causes, and without any field that is not known', () => {
  const error = Object.assign(new Error('outer', { cause: new Error('inner') }), {
    code: 'ECONNREFUSED',
    password: 's3cret',
  })
  expect(describeError(error)).toEqual({
    name: 'Error',
    message: 'outer',
    code: 'ECONNREFUSED',
    stack: expect.any(String),
    cause: { name: 'Error', message: 'inner', stack: expect.any(String) },
  })
  expect(describeError('text')).toEqual({ message: 'text' })
})

test('the values of a failed query are not logged', () => {
  const values = ['a secret\n    at the end']
  const error = new DrizzleQueryError('SELECT $1', values, new Error('connection lost'))
  const described = JSON.stringify(describeError(error))
  expect(described).toContain('Failed query: SELECT $1')
  expect(described).toContain('connection lost')
  expect(described).not.toContain('secret')
  expect(described).not.toContain('at the end')
})
