import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createShardedMap } from './sharded-map.ts'

test('after any sequence of calls, it has the entries of a map', () => {
  const key = fc.oneof(fc.constantFrom('', 'a', 'ab'), fc.string({ maxLength: 3 }))
  const call = fc.record({ key, value: fc.option(fc.nat()) })
  fc.assert(
    fc.property(fc.array(call), calls => {
      const plain = new Map<string, number>()
      const sharded = createShardedMap<string, number>()
      for (const { key, value } of calls) {
        if (value === null) expect(sharded.delete(key)).toBe(plain.delete(key))
        else {
          plain.set(key, value)
          sharded.set(key, value)
        }
        expect(sharded.get(key)).toBe(plain.get(key))
      }
      expect([...sharded.keys()].sort()).toEqual([...plain.keys()].sort())
      expect(sharded.size).toBe(plain.size)
    }),
  )
})
