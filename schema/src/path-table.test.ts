import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPathTable, decodePath } from './path-table.ts'

const table = createPathTable([
  ['/', 'root'],
  ['/a/:one', 'any'],
  ['/a/new', 'new'],
  ['/a/:one/b/:two', 'two'],
  ['/files/:name.json', 'file'],
])
const find = (path: string, accepts = (_value: string) => true) => {
  const found = table.find(path, accepts)
  return found && [found.value, found.params]
}

test('a fixed part comes before a name, whatever the order of the entries', () => {
  expect(find('/a/new')).toEqual(['new', {}])
  expect(find('/a/new', value => value !== 'new')).toEqual(['any', { one: 'new' }])
  expect(find('/a/new/b/x')).toEqual(['two', { one: 'new', two: 'x' }])
})

test('a name stands for one whole part, before its suffix', () => {
  expect(find('/')).toEqual(['root', {}])
  expect(find('/a/x')).toEqual(['any', { one: 'x' }])
  expect(find('/files/a.b.json')).toEqual(['file', { name: 'a.b' }])
})

test.each([
  '',
  'a',
  '/a',
  '/a/',
  '/a/x/',
  '//a/x',
  '/a//b/x',
  '/a/%61',
  '/A/x',
  '/files/.json',
  '/files/xjson',
])('nothing is at %s', path => {
  expect(find(path)).toBeUndefined()
})

const part = fc.string({ unit: fc.constantFrom(..."aZ09-._~!$&'()*+,;=:@"), maxLength: 50 })
/** How each character is spelled: as itself, or as an escape with small or capital letters. */
const spelling = fc.array(fc.constantFrom(0, 1, 2), { minLength: 200, maxLength: 200 })
const encode = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
const spell = (text: string, how: number[]) =>
  [...text]
    .map((character, at) =>
      character === '/' || how[at] === 0
        ? character
        : how[at] === 1
          ? encode(character)
          : encode(character).toUpperCase(),
    )
    .join('')

test('every spelling of a path is the same path', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), spelling, (parts, how) => {
      const path = `/${parts.join('/')}`
      expect(decodePath(spell(path, how))).toBe(path)
    }),
  )
})

test('a path is decoded once, and not at all if that would change its parts', () => {
  for (const path of [
    '/a/%2536', // would be %36
    '/a/%2F%61',
    '/a/%61%2f',
    '/a/%',
    '/a/%6',
    '/a/%zz',
    '/a/%3Fq',
    '/a/%23',
    '/a/%5C',
    '/a/%00',
    '/a/%0a',
    '/a/%7F',
    '/a/%20',
    '/a/%C3%A9',
  ]) {
    expect(decodePath(path)).toBe(path)
    expect(find(path)).toBeUndefined()
  }
})
