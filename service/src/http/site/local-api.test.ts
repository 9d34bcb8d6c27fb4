import { expect, test } from 'vitest'
import { z } from 'zod'
import { createSnapshot, defineEndpoint } from '../../endpoint/endpoint.ts'
import { routesOf } from '../../testing/routes-of.ts'
import { createLocalApi } from './local-api.ts'

/** An endpoint whose answer claims to have this many bytes. */
const listing = (length: number) =>
  defineEndpoint({
    ...{ method: 'GET', path: '/v1/listing', id: 'listing', tag: 'Launches', summary: '', description: '' },
    ...{ faults: {}, errors: [], success: { description: '', schema: z.object({}), example: {} } },
    answer() {
      const { identity } = createSnapshot(Buffer.from('{}'))
      return { kind: 'prepared', snapshot: { identity: { ...identity, length } }, cacheControl: '' }
    },
  })

test('an answer that would take all the memory of the page thread is refused', async () => {
  const ask = (length: number) =>
    createLocalApi(routesOf(listing(length)), async () => ({ status: 200, text: '' }))('/v1/listing')
  expect(await ask(64 << 20)).toMatchObject({ status: 200 })
  expect(await ask((64 << 20) + 1)).toMatchObject({ status: 503 })
})
