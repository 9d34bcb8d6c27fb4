import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { CLEAR_LINE } from '../lib/terminal.ts'
import { runScript, spawnScript } from '../testing/run-script.ts'
import { canMountDisk, mountSmallDisk } from '../testing/small-disk.ts'
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

/** Every write fails as on a full disk. */
const FULL = '/dev/full'

test.skipIf(!existsSync(FULL))(
  'lines for a full disk are dropped and counted, and the process exits',
  async () => {
    for (const isTTY of [false, true]) {
      const output = await runScript(
        import.meta.url,
        `import { createLog } from './log.ts'
       import { openSync } from 'node:fs'
       let dropped = 0
       const log = createLog('info', {
         stream: { fd: openSync('${FULL}', 'w'), isTTY: ${isTTY} },
         onDropped: lines => { dropped += lines },
       })
       for (let at = 0; at < 1_000; at += 1) log.info({ at, text: 'x'.repeat(100) }, 'dropped')
       log.flush(() => {
         console.log(dropped)
         log.info({}, 'while exiting')
         process.exit(0)
       })`,
      )
      expect(output).toBe('1000\n')
    }
  },
)

test.skipIf(!canMountDisk)('once a full disk has space, the log continues with a whole line', async () => {
  const disk = mountSmallDisk('1m')
  const path = join(disk.folder, 'log')
  const fd = openSync(path, 'a')
  onTestFinished(() => closeSync(fd))
  let dropped = 0
  const log = createLog('info', {
    stream: { fd, isTTY: false },
    onDropped: lines => {
      dropped += lines
    },
  })
  const flush = () => new Promise<void>(resolve => log.flush(() => resolve()))
  log.info('first')
  await flush()
  disk.fill()
  for (let at = 0; at < 10; at += 1) log.info({ text: 'x'.repeat(10_000) }, 'dropped')
  await flush()
  expect(dropped).toBe(10)
  disk.free()
  log.info('second')
  await flush()
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(JSON.parse(lines[0] as string).msg).toBe('first')
  expect(JSON.parse(lines.at(-1) as string).msg).toBe('second')
})

test('a process whose log is not read any more exits', async () => {
  const child = spawnScript(
    import.meta.url,
    `import { createLog } from './log.ts'
     const log = createLog('info')
     log.writeLines('x'.repeat(1 << 20) + '\\n')
     setTimeout(() => {
       log.info('later')
       process.exit(3)
     }, 300)`,
  )
  // Nothing reads its standard output.
  const [code] = await once(child, 'exit')
  expect(code).toBe(3)
})

test('lines that arrive during a slow write are written after it', async () => {
  const child = spawnScript(
    import.meta.url,
    `import { createLog } from './log.ts'
     const log = createLog('info')
     log.writeLines('x'.repeat(4 << 20) + '\\n')
     log.info('meanwhile')
     setInterval(() => {}, 1_000)`,
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  // By the time that its output is read, the script has tried to write the line.
  await once(child.stdout, 'readable')
  await sleep(500)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text
  })
  await expect.poll(() => output.slice(-200), { timeout: 10_000 }).toContain('"msg":"meanwhile"')
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
