import { expect, test } from 'vitest'
import { createLru } from './create-lru.ts'

test('only the entries that were used last are kept', () => {
  const cache = createLru<string, number>(2)
  cache.set('first', 1).set('second', 2)
  cache.get('first')
  cache.set('third', 3)
  expect([...cache.keys()]).toEqual(['third', 'first'])
})

test('memory is not reserved for entries to come', () => {
  expect(createLru<string, number>(2 ** 40).set('only', 1).size).toBe(1)
})
