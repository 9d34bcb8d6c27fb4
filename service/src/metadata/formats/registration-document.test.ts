import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../fetched-document.ts'
import { parseDisplayMetadata } from './display-metadata.ts'
import { parseRegistrationDocument } from './registration-document.ts'

const gateways = { ipfsGateway: 'https://ipfs.example/ipfs/', arweaveGateway: 'https://ar.example/' }
const parse = (document: JsonObject) => parseRegistrationDocument(document, gateways)
const CID = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG'

test('a registration document is parsed into the fields that we use', () => {
  expect(
    parse({
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name: 'Ada',
      description: 'Counts.',
      image: 'https://images.example/ada.png',
      services: [
        {
          name: 'A2A',
          endpoint: 'https://agents.example/ada',
          version: '0.3.0',
          skills: [
            { id: 'count', name: 'Counting', description: 'Counts.', tags: ['numbers', 7] },
            'nlp/summary',
          ],
        },
        { name: 'OASF', endpoint: `ipfs://${CID}`, version: 1, skills: [], domains: ['finance', null] },
        { name: 'DID', endpoint: 'did:web:ada.example' },
      ],
      active: true,
    }),
  ).toEqual({
    name: 'Ada',
    description: 'Counts.',
    image: 'https://images.example/ada.png',
    services: [
      {
        name: 'A2A',
        endpoint: 'https://agents.example/ada',
        version: '0.3.0',
        skills: [
          { id: 'count', name: 'Counting', description: 'Counts.', tags: ['numbers'] },
          { id: 'nlp/summary', name: 'nlp/summary', tags: [] },
        ],
      },
      { name: 'OASF', endpoint: `ipfs://${CID}`, version: '1', skills: [] },
      { name: 'DID', endpoint: 'did:web:ada.example', skills: [] },
    ],
  })
})

test('documents in the draft format, which called services endpoints, are accepted', () => {
  expect(parse({ endpoints: [{ name: 'MCP', endpoint: 'https://a.example' }] }).services).toHaveLength(1)
})

test('unusable values are dropped, and the rest is kept', () => {
  const services = [
    null,
    'A2A',
    {},
    { name: 'A2A' },
    { name: 7, endpoint: 'https://a.example' },
    { name: ' ', endpoint: 'https://a.example' },
    { name: 'A2A', endpoint: `https://a.example/${'x'.repeat(2_048)}` },
    { name: 'A2A', endpoint: 'https://a.example/\u202e' },
    { name: 'A2A', endpoint: 'https://a.example/e\u0301' },
    { name: 'A2A', endpoint: ' https://a.example ', version: {}, skills: {}, domains: 'x' },
  ]
  expect(parse({ name: 7, description: null, image: ['x'], services })).toEqual({
    services: [{ name: 'A2A', endpoint: 'https://a.example', skills: [] }],
  })
  expect(parse({ services: { 0: 'x' } })).toEqual({ services: [] })
})

test('counts and lengths are bounded', () => {
  const many = <T>(item: T) => Array.from({ length: 1_000 }, () => item)
  const long = 'x'.repeat(100_000)
  const service = {
    name: long,
    endpoint: 'https://a.example',
    skills: many({ id: long, description: long, tags: many(long) }),
  }
  const { name, description, services } = parse({ name: long, description: long, services: many(service) })
  expect([name?.length, description?.length, services.length]).toEqual([256, 16_384, 64])
  expect(JSON.stringify(services[0]).length).toBeLessThan(1_000_000)
  expect(services[0]?.skills).toHaveLength(64)
  expect(services[0]?.skills[0]?.tags).toHaveLength(32)
})

test('texts have no invisible characters and no lone surrogates, and one that is then empty is missing', () => {
  expect(parse({ name: ' A\0d\u0007a\u202e\ud800 ', description: 'one\n\ttwo\u200b\n' })).toMatchObject({
    name: 'Ada\ufffd',
    description: 'one\n\ttwo',
  })
  expect(parse({ name: ' \u200b ', description: '' })).toEqual({ services: [] })
  expect(parse({ name: `${'x'.repeat(255)}😀` }).name).toBe(`${'x'.repeat(255)}\ufffd`)
})

test.each([
  ['https://a.example/b c.png', 'https://a.example/b%20c.png'],
  ['HTTP://a.example/b.png', 'http://a.example/b.png'],
  [`ipfs://${CID}/a.png`, `https://ipfs.example/ipfs/${CID}/a.png`],
  [
    'ar://sKqjvBnpKtvGmIQmZ-J3Qy8bZzb8QfG5XhWRCVQWBoU',
    'https://ar.example/sKqjvBnpKtvGmIQmZ-J3Qy8bZzb8QfG5XhWRCVQWBoU',
  ],
  ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ['data:image/svg+xml,<svg/>', 'data:image/svg+xml,<svg/>'],
])('the image %s is shown as %s', (image, shown) => {
  expect(parseDisplayMetadata({ image }, gateways)).toEqual({ image: shown })
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>',
  'data:image/html,<script>',
  `data:image/png;base64,${'A'.repeat(40_000)}`,
  'file:///etc/passwd',
  'blob:https://a.example/x',
  '/relative.png',
  'https://',
  'https://user:secret@a.example/',
  `https://a.example/${'x'.repeat(2_048)}`,
  // Longer than 2,048 characters only once it is encoded.
  `https://a.example/${'ä'.repeat(400)}`,
  `ipfs://${CID}/../../x`,
  '',
])('%s is not an image', image => {
  expect(parseDisplayMetadata({ image }, gateways)).toEqual({})
})

test('no document makes it throw', () => {
  const keys = fc.constantFrom(
    'name',
    'description',
    'image',
    'services',
    'endpoint',
    'skills',
    'tags',
    '__proto__',
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
  fc.assert(
    fc.property(fc.dictionary(keys, tree, { maxKeys: 6 }), document => {
      const parsed = JSON.parse(JSON.stringify(document))
      const { services, ...metadata } = parse(parsed)
      for (const text of Object.values(metadata)) expect(typeof text).toBe('string')
      for (const { name, endpoint } of services)
        expect([typeof name, typeof endpoint]).toEqual(['string', 'string'])
    }),
    { numRuns: 1_000 },
  )
})
