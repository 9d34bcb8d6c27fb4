import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatAccessLine } from './access-log.ts'

const few = <T>(...values: T[]) => fc.constantFrom(...values)
const exchanges = fc.array(
  fc.record({
    id: few('a-1', 'a-2'),
    method: few('GET', 'POST'),
    path: fc.oneof(few('/v1/launches', '/v1/tokens/x'), fc.string({ unit: 'binary', maxLength: 12 })),
    status: few(200, 304, 404),
    ms: fc.double({ min: 0, max: 60_000, noNaN: true }),
    client: few('127.0.0.1', '::1'),
    isAborted: fc.boolean(),
    timeMs: few(1_700_000_000_000, 1_700_000_000_001, 1_700_000_123_456),
  }),
)

test('each line is one JSON object in ASCII that tells its own request, whatever came before it', () => {
  fc.assert(
    fc.property(exchanges, all => {
      for (const { path, timeMs, ...known } of all) {
        const exchange = {
          ...known,
          url: path,
          startMs: 0,
          allowance: undefined,
          isLast: false,
          route: 'none',
        }
        const line = formatAccessLine(exchange, path, timeMs)
        expect(line).toMatch(/^[\x20-\x7e]+\n$/)
        expect(JSON.parse(line)).toEqual({
          level: 'info',
          time: new Date(timeMs).toISOString(),
          requestId: known.id,
          method: known.method,
          path,
          status: known.status,
          us: Math.round(known.ms * 1_000),
          client: known.client,
          ...(known.isAborted ? { aborted: true } : {}),
          msg: 'request',
        })
      }
    }),
  )
})
