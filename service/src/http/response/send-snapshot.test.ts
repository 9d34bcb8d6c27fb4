import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Encoding, Representation } from '../../endpoint/endpoint.ts'
import {
  acceptableEncodings,
  chooseRepresentation,
  createResponseBatch,
  matchesIfNoneMatch,
} from './send-snapshot.ts'

test.each<[string | undefined, Encoding[]]>([
  [undefined, ['identity']],
  ['', ['identity']],
  ['gzip', ['gzip', 'identity']],
  ['x-gzip', ['gzip', 'identity']],
  ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
  ['br;q=0.5, gzip;q=0.8', ['gzip', 'br', 'identity']],
  ['gzip;q=0', ['identity']],
  ['*', ['br', 'gzip', 'identity']],
  ['*;q=0.5, br;q=0', ['gzip', 'identity']],
  ['identity;q=0, gzip', ['gzip']],
  ['identity, gzip;q=0.5', ['identity', 'gzip']],
  ['GZIP ; Q=0.3', ['gzip', 'identity']],
  ['gzip;q=nonsense', ['identity']],
])('Accept-Encoding %j prefers %j', (header, encodings) => {
  expect(acceptableEncodings(header)).toEqual(encodings)
})

const representation = (encoding: Encoding): Representation => ({
  encoding,
  etag: `"tag-${encoding}"`,
  parts: [],
  length: 0,
})

test('an encoding that is not ready is not chosen, and identity is sent if nothing else is possible', () => {
  const snapshot = { identity: representation('identity'), gzip: representation('gzip') }
  expect(chooseRepresentation(snapshot, 'br, gzip;q=0.5', undefined).representation.encoding).toBe('gzip')
  expect(chooseRepresentation(snapshot, 'br, identity;q=0', undefined).representation.encoding).toBe(
    'identity',
  )
})

test('the ETag of an encoding that the client does not accept does not match', () => {
  const snapshot = { identity: representation('identity'), gzip: representation('gzip') }
  expect(chooseRepresentation(snapshot, 'identity', '"tag-gzip"').notModified).toBe(false)
  expect(chooseRepresentation(snapshot, 'gzip', '"tag-gzip"').notModified).toBe(true)
})

test('an outdated ETag gets the preferred encoding in full, and one of an older encoding still matches', () => {
  const snapshot = { identity: representation('identity'), gzip: representation('gzip') }
  for (const outdated of ['"outdated"', '"outdated-1", W/"outdated-2"']) {
    const { representation: chosen, notModified } = chooseRepresentation(snapshot, 'gzip', outdated)
    expect([chosen.encoding, notModified]).toEqual(['gzip', false])
  }
  const held = chooseRepresentation(snapshot, 'gzip', '"outdated", "tag-identity"')
  expect([held.representation.encoding, held.notModified]).toEqual(['identity', true])
})

const opaque = fc.string({
  unit: fc.constantFrom(...'abcXYZ019-_.,;:!#$%&()*+/<=>?@[]^`{|}~ é'.replace(' ', '')),
  maxLength: 8,
})
const tag = fc.tuple(fc.boolean(), opaque).map(([weak, text]) => ({ weak, text: `"${text}"` }))
const separator = fc.constantFrom(',', ', ', ' ,\t', ',,', ' , , ')

test('a list of tags matches if and only if it contains the current one, weak or strong', () => {
  const outcomes = { match: 0, miss: 0 }
  fc.assert(
    fc.property(
      fc.array(tag, { maxLength: 6 }),
      tag,
      fc.boolean(),
      fc.nat(),
      separator,
      (others, current, isHeld, place, between) => {
        const tags = others.filter(({ text }) => text !== current.text)
        if (isHeld) tags.splice(place % (tags.length + 1), 0, current)
        const header = tags.map(({ weak, text }) => (weak ? `W/${text}` : text)).join(between)
        outcomes[isHeld ? 'match' : 'miss'] += 1
        expect(matchesIfNoneMatch(header, current.text)).toBe(isHeld)
      },
    ),
    { numRuns: 400 },
  )
  // Both outcomes must be common; otherwise, the test would prove little.
  expect(Math.min(outcomes.match, outcomes.miss)).toBeGreaterThan(80)
})

test('a tag that is a prefix, a suffix or another case of the current one does not match', () => {
  fc.assert(
    fc.property(opaque, fc.constantFrom('x', ',', '-gzip', 'W/'), (text, added) => {
      for (const near of [`${text}${added}`, `${added}${text}`])
        expect(matchesIfNoneMatch(`"${near}"`, `"${text}"`)).toBe(false)
    }),
  )
  expect(matchesIfNoneMatch('"A"', '"a"')).toBe(false)
})

test('a star matches every tag, and an absent header matches none', () => {
  expect(matchesIfNoneMatch('*', '"a"')).toBe(true)
  expect(matchesIfNoneMatch(' * ', '"a"')).toBe(true)
  expect(matchesIfNoneMatch(undefined, '"a"')).toBe(false)
})

test('a malformed list matches only up to its first error', () => {
  for (const header of ['', 'a', 'a, b', '"a', 'W/', '"b""a', '"a-gzip"', 'w/"a"', '"b" "a", x'])
    expect([header, matchesIfNoneMatch(header, '"a"')]).toEqual([header, header === '"b" "a", x'])
})

test('a hostile header takes time linear in its length', () => {
  const before = process.cpuUsage()
  matchesIfNoneMatch('"x",'.repeat(100_000), '"a"')
  matchesIfNoneMatch(','.repeat(400_000), '"a"')
  matchesIfNoneMatch(' '.repeat(400_000), '"a"')
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(500)
})

const ignore = () => {}

test('responses are sent once each and in order, at the end of the turn or when there are many', async () => {
  const sent: number[] = []
  const batch = createResponseBatch<number>(response => sent.push(response), ignore)
  const responses = Array.from({ length: 200 }, (_, at) => at)
  for (const response of responses.slice(0, 63)) batch.add(response)
  expect(sent).toEqual([])
  for (const response of responses.slice(63)) batch.add(response)
  expect(sent).toEqual(responses.slice(0, 192))
  await new Promise(setImmediate)
  expect(sent).toEqual(responses)
  batch.add(200)
  await new Promise(setImmediate)
  expect(sent.at(-1)).toBe(200)
})

test('a response that is added while others are sent waits for the next turn', async () => {
  const sent: string[] = []
  const batch = createResponseBatch<string>(response => {
    sent.push(response)
    if (response === 'first') batch.add('second')
  }, ignore)
  batch.add('first')
  batch.flush()
  expect(sent).toEqual(['first'])
  await new Promise(setImmediate)
  expect(sent).toEqual(['first', 'second'])
})

test('the callback runs right after the last response of a turn', async () => {
  const happened: string[] = []
  const batch = createResponseBatch<string>(
    response => happened.push(response),
    () => happened.push('all'),
  )
  batch.add('first')
  batch.add('second')
  await new Promise(setImmediate)
  expect(happened).toEqual(['first', 'second', 'all'])
})
