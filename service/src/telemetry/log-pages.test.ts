import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogPages } from './log-pages.ts'

test('every line arrives whole and in order, however long and in whatever script', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.nat({ max: 40_000 }).map(length => '🚢'.repeat(length)),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), lines => {
      const written: Buffer[] = []
      const pages = createLogPages({ write: page => void written.push(page) })
      for (const text of lines) pages.write(`${text}\n`)
      pages.flush()
      const expected = lines.map(text => `${text}\n`).join('')
      expect(Buffer.concat(written).equals(Buffer.from(expected))).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('lines of ASCII take the short way and stay in order with the others', () => {
  const written: Buffer[] = []
  const pages = createLogPages({ write: page => void written.push(page) })
  for (let at = 0; at < 3_000; at += 1) {
    pages.writeAscii(`plain ${at} ${'x'.repeat(at % 90)}\n`)
    pages.write(`ünïcode ${at}\n`)
  }
  pages.flush()
  const expected = Array.from(
    { length: 3_000 },
    (_, at) => `plain ${at} ${'x'.repeat(at % 90)}\nünïcode ${at}\n`,
  )
  expect(Buffer.concat(written).toString()).toBe(expected.join(''))
})

test('nothing is written before a page is full or somebody asks for it', () => {
  const written: Buffer[] = []
  const pages = createLogPages({ write: page => void written.push(page) })
  pages.write('a line\n')
  expect(written).toHaveLength(0)
  pages.flush()
  pages.flush()
  expect(written.map(String)).toEqual(['a line\n'])
})
