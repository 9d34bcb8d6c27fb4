import { expect, test } from 'vitest'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import { DESCRIBED_ENDPOINTS } from '../../testing/described-endpoints.ts'
import { createLoadShedder } from './load-shedder.ts'

const [busy, idle] = DESCRIBED_ENDPOINTS as [Endpoint, Endpoint]

test('an endpoint takes 128 requests at a time, and another one for each that ends', () => {
  const limit = createLoadShedder().limitOf(busy)
  let admitted = 0
  while (limit.admit()) admitted += 1
  expect([admitted, limit.isFull()]).toEqual([128, true])
  limit.release()
  expect([limit.isFull(), limit.admit(), limit.admit()]).toEqual([false, true, false])
})

test('a full endpoint does not keep others from being answered', () => {
  const { limitOf } = createLoadShedder()
  while (limitOf(busy).admit());
  expect([limitOf(busy).isFull(), limitOf(idle).isFull()]).toEqual([true, false])
})
