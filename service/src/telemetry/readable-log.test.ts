import { expect, test } from 'vitest'
import { CLEAR_LINE, createStyle } from '../lib/terminal.ts'
import { describeError } from './log.ts'
import { formatLogLines } from './readable-log.ts'

const time = '2026-01-02T03:04:05.678Z'
const clock = new Date(time).toTimeString().slice(0, 8)
const plain = createStyle({ isTTY: true }, { NO_COLOR: '1' })
const format = (...lines: object[]) =>
  formatLogLines(lines.map(line => `${JSON.stringify(line)}\n`).join(''), plain).replaceAll(CLEAR_LINE, '')

test('a line has the time, the level, the message and its fields', () => {
  const fields = { url: 'http://localhost:8080', store: 'in ./data', count: 3, seconds: 1.51888 }
  expect(format({ level: 'info', time, ...fields, msg: 'serving' })).toBe(
    `${clock} info  serving url=http://localhost:8080 store="in ./data" count=3 seconds=1.519\n`,
  )
})

test('a request is one short line, without its id', () => {
  const request = { requestId: 'x', method: 'GET', path: '/v1/launches', status: 200, us: 1_234 }
  const line = { level: 'info', time, ...request, client: '127.0.0.1', msg: 'request' }
  expect(format(line, line)).toBe(
    `${clock} info  GET /v1/launches 200 in 1.2 ms client=127.0.0.1\n`.repeat(2),
  )
})

test('an error is shown with its code, its stack and its causes', () => {
  const error = Object.assign(new Error('outer', { cause: new Error('inner') }), { code: 'ECONNREFUSED' })
  const lines = format({ level: 'error', time, err: describeError(error), msg: 'failed' }).split('\n')
  expect(lines.slice(0, 2)).toEqual([`${clock} error failed`, '         outer (ECONNREFUSED)'])
  expect(lines[2]).toMatch(/^ {11}at .*readable-log\.test/)
  expect(lines).toContain('         caused by inner')
})

test('lines that were left out are counted in words', () => {
  expect(format({ level: 'warn', time, code: 'BUSY', leftOut: 3, msg: 'request failed' })).toBe(
    `${clock} warn  request failed code=BUSY (3 similar left out before)\n`,
  )
})

test("a warning's error is one line, without a stack", () => {
  const error = Object.assign(new Error('outer\nmore', { cause: new Error('inner') }), {
    code: 'ECONNREFUSED',
  })
  expect(format({ level: 'warn', time, err: describeError(error), msg: 'failed; retrying' })).toBe(
    `${clock} warn  failed; retrying\n         outer (ECONNREFUSED), caused by inner\n`,
  )
})

test('no value can control the terminal', () => {
  const evil = '\u001b[2J\u009b2J\u202e\nforged'
  const err = { message: evil, code: evil, stack: `Error\n    at ${evil}` }
  const line = { time, [evil]: evil, nested: { [evil]: evil }, err, msg: evil }
  const text = format({ ...line, level: evil }, { ...line, level: 'error' })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not appear
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u0080-\u009f\u202e]/)
})
