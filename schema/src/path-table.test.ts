import { expect, test } from 'vitest'
import { createPathTable } from './path-table.ts'

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
