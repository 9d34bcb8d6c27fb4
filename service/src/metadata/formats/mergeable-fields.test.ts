import { Agent } from '@slipway/schema/agent'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../fetched-document.ts'
import { DOCUMENTED_NAMES, parseMergeableFields } from './mergeable-fields.ts'

const read = (text: string) =>
  parseMergeableFields({ value: JSON.parse(text) as JsonObject, bytes: text.length })

test('undocumented fields are merged unchanged', () => {
  const extra = { type: 't', services: [{ name: 'A2A', endpoint: 'e' }], active: true, x: null, n: 1.5 }
  const documented = Object.fromEntries([...DOCUMENTED_NAMES].map(name => [name, 'from the document']))
  expect(read(JSON.stringify({ ...documented, ...extra }))).toEqual(extra)
  // Only at the top level: further down the names mean something else.
  expect(read('{"a":{"name":"x","owner":"y"}}')).toEqual({ a: { name: 'x', owner: 'y' } })
})

test('a document sets no field that the agent schema describes, except registration fields', () => {
  const every = Object.fromEntries(Object.keys(Agent.shape).map(name => [name, 'from the document']))
  expect(Object.keys(read(JSON.stringify(every)))).toEqual([
    'type',
    'services',
    'active',
    'registrations',
    'supportedTrust',
  ])
})

test('keys that could reach a prototype are dropped at every level', () => {
  const fields = read(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":1,"__x":1,"_y":1,' +
      '"a":[{"__proto__":{"polluted":1},"constructor":1,"b":{"__defineGetter__":1,"c":1}}]}',
  )
  expect(JSON.stringify(fields)).toBe('{"_y":1,"a":[{"b":{"c":1}}]}')
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
const withKeys = (count: number) =>
  JSON.stringify({ a: Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [index, 0])) })
const ofBytes = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`

test.each([
  ['16 levels', nested(16), nested(17)],
  [
    '16 levels of arrays',
    `{"a":${'['.repeat(15)}${']'.repeat(15)}}`,
    `{"a":${'['.repeat(16)}${']'.repeat(16)}}`,
  ],
  ['256 keys in all', withKeys(256), withKeys(257)],
  ['64 KiB', ofBytes(65_536), ofBytes(65_537)],
])('a document of %s is merged, a larger one is not', (_what, just, more) => {
  expect(read(just)).toEqual(JSON.parse(just))
  expect(read(more)).toEqual({})
})

test('dropped fields count toward the limits', () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 256 }, (_, index) => [`k${index}`, 0])))
  expect(read(`{"a":1,"__x":${many}}`)).toEqual({})
  expect(read(`{"a":1,"name":${nested(16)}}`)).toEqual({})
})

test('strings and keys can be stored in PostgreSQL', () => {
  expect(read('{"a\\u0000":"b\\u0000\\ud800","_\\u0000_proto__":1}')).toEqual({
    'a\ufffd': 'b\ufffd\ufffd',
    '_\ufffd_proto__': 1,
  })
})

/** The keys of all levels. */
function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(keysOf)
  return Array.isArray(value) ? inner : [...Object.getOwnPropertyNames(value), ...inner]
}

test('no document makes it throw, or reaches a prototype or a documented name', () => {
  const keys = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'toJSON', 'then', 'owner', 'tokens'),
  )
  const leaf = fc.oneof(fc.string({ maxLength: 8 }), fc.double(), fc.boolean(), fc.constant(null))
  const { tree } = fc.letrec(tie => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(keys, tie('tree'), { maxKeys: 4 }),
    ),
  }))
  const own = Object.getOwnPropertyNames(Object.prototype)
  fc.assert(
    fc.property(fc.dictionary(keys, tree, { maxKeys: 6 }), document => {
      const fields = read(JSON.stringify(document))
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(own)
      expect(Object.keys(fields).filter(key => DOCUMENTED_NAMES.has(key))).toEqual([])
      expect(keysOf(fields).filter(key => /^(__.*|constructor|prototype)$/s.test(key))).toEqual([])
      const detail = { owner: 'real', ...fields }
      expect([detail.owner, Object.getPrototypeOf(detail)]).toEqual(['real', Object.prototype])
    }),
    { numRuns: 1_000 },
  )
})
