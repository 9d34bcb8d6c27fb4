import { ERRORS, ErrorBody, type ErrorCode, errorFamilyOf } from '@slipway/schema/errors'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, launchRecord } from '../testing/launch-rows.ts'
import { startProbeServer } from '../testing/probe-server.ts'
import { rawRequest } from '../testing/raw-request.ts'

// All characters that HTTP allows in a path.
const wireText = fc
  .string({ unit: fc.constantFrom(...printable(0x21, 0x7e), ...printable(0xa1, 0xff)), maxLength: 40 })
  .map(text => text.replaceAll('#', '%23'))
const piece = fc.oneof(
  wireText,
  fc.constantFrom(
    'v1',
    'launches',
    'tokens',
    'agents',
    'social',
    'creator-rewards',
    'register',
    'probe',
    'docs',
  ),
  fc.constantFrom(
    '',
    '.',
    '..',
    '%',
    '%2F',
    '%00',
    '%zz',
    '%2e%2e',
    '*',
    ':genesisAddress',
    '{mint}',
    addressOf('fuzz'),
  ),
)
const path = fc
  .tuple(fc.constantFrom('/v1/', '/', '/v1/launches/', '/v1/agents/'), fc.array(piece, { maxLength: 5 }))
  .map(([start, pieces]) => start + pieces.join('/'))
const parameter = fc.tuple(
  fc.oneof(
    wireText,
    fc.constantFrom('network', 'status', 'spotlight', 'network[]', 'status[0]', '__proto__'),
    fc.constantFrom('query', 'sort', 'mechanic', 'creator', 'limit', 'cursor'),
  ),
  fc.oneof(
    wireText,
    fc.constantFrom('chain-mainnet', 'live', 'true', '', 'chain-devnet&network=x', '%', '%ff'),
  ),
)
const query = fc.array(parameter, { maxLength: 6 }).map(pairs => pairs.map(pair => pair.join('=')).join('&'))
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND')
const body = fc.option(fc.oneof(fc.json(), fc.string({ maxLength: 200 })), { nil: undefined })
const contentType = fc.constantFrom('application/json', 'text/plain', 'application/json; charset=x', '')

function printable(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at))
}

test("no path, query, method or body causes a 5xx, an error body outside the family's format, or an error without its code", async () => {
  const { url } = await startProbeServer({ launches: [launchRecord('fuzz')] })
  await fc.assert(
    fc.asyncProperty(path, query, method, body, contentType, async (path, query, method, body, type) => {
      const target = query ? `${path}?${query}` : path
      const answer = await rawRequest(url, target, {
        method,
        headers: type ? { 'content-type': type } : {},
        ...(body === undefined ? {} : { body }),
      })
      expect(answer.status).toBeLessThan(500)
      if (answer.status >= 400 && method !== 'HEAD') {
        const family = errorFamilyOf(method, target)
        expect(() => ErrorBody[family].strict().parse(answer.json())).not.toThrow()
      }
      const code = answer.headers['slipway-error'] as ErrorCode | undefined
      expect(code && ERRORS[code].status).toBe(answer.status >= 400 ? answer.status : undefined)
      expect(answer.headers['x-request-id']).toBeDefined()
    }),
    { numRuns: 100 },
  )
})
