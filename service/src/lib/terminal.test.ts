import { expect, test } from 'vitest'
import { createStyle, printable, usesColors } from './terminal.ts'

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { TERM: 'dumb' }, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('a stream with isTTY %j and %j gets colours: %j', (isTTY, env, expected) => {
  expect(usesColors({ isTTY }, env)).toBe(expected)
  expect(createStyle({ isTTY }, env)('bold', 'text')).toBe(expected ? '\u001b[1mtext\u001b[22m' : 'text')
})

test('printable text has no control characters, directional marks included', () => {
  expect(printable('Har\u202ebour\u001b[2J\u009b\n ☕')).toBe('Harbour[2J ☕')
})
