import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DOCUMENT_BYTES_MAX, parseDocumentUri } from './parse-document-uri.ts'

const gateways = { ipfsGateway: 'https://ipfs.example/ipfs/', arweaveGateway: 'https://ar.example/' }
const CID_0 = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG'
const CID_1 = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
const TX = 'sKqjvBnpKtvGmIQmZ-J3Qy8bZzb8QfG5XhWRCVQWBoU'

function parse(uri: string) {
  const target = parseDocumentUri(uri, gateways)
  switch (target.kind) {
    case 'http':
      return `${target.immutable ? 'immutable ' : ''}${target.url.href}`
    case 'data':
      return Buffer.from(target.bytes).toString()
    case 'refused':
      return [target.failure.reason, target.failure.detail]
  }
}

test.each([
  ['https://example.com/a.json', 'https://example.com/a.json'],
  ['HTTP://Example.com:80/a.json?b=c#d', 'http://example.com/a.json?b=c'],
  ['https://example.com/a.json\0\0\0', 'https://example.com/a.json'],
  ['  https://example.com/a.json\n', 'https://example.com/a.json'],
  ['http://example.com:8080/a', 'http://example.com:8080/a'],
  [`ipfs://${CID_0}`, `immutable https://ipfs.example/ipfs/${CID_0}`],
  [`ipfs://${CID_1}/a/1.json`, `immutable https://ipfs.example/ipfs/${CID_1}/a/1.json`],
  [`IPFS://ipfs/${CID_0}/1.json?x=y#z`, `immutable https://ipfs.example/ipfs/${CID_0}/1.json`],
  [`ipfs://${CID_0}/a%20b%25.json`, `immutable https://ipfs.example/ipfs/${CID_0}/a%20b%25.json`],
  [`ar://${TX}`, `immutable https://ar.example/${TX}`],
  [`ar://${TX}/meta.json`, `immutable https://ar.example/${TX}/meta.json`],
  ['data:application/json;base64,eyJhIjoxfQ==', '{"a":1}'],
  ['data:application/json;charset=utf-8;base64,eyJhIjoxfQ', '{"a":1}'],
  ['DATA:application/ld+json,%7B%22a%22%3A%22%C3%A9%22}', '{"a":"é"}'],
  ['data:,{"a":"#fff 100% é"}', '{"a":"#fff 100% é"}'],
  ['data:application/json;utf8,{"a":1}', '{"a":1}'],
  ['data:;base64,eyJhIjoxfQ%3D%3D', '{"a":1}'],
])('%s is accepted', (uri, expected) => {
  expect(parse(uri)).toEqual(expected)
})

test.each([
  ['', 'syntax'],
  ['example.com/a.json', 'syntax'],
  ['http://', 'syntax'],
  ['http://[fe80::1%25eth0]/', 'syntax'],
  ['http://exa mple.com/', 'syntax'],
  ['http://example.com/a\tb', 'syntax'],
  ['file:///etc/passwd', 'scheme'],
  ['ftp://example.com/', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['gopher://example.com/', 'scheme'],
  ['unix:/var/run/docker.sock', 'scheme'],
  ['https://user:secret@example.com/', 'credentials'],
  ['https://user@example.com/', 'credentials'],
  ['http://example.com:22/', 'port'],
  ['http://example.com:25/', 'port'],
  ['http://example.com:6667/', 'port'],
  ['http://example.com:0/', 'port'],
  [`http://example.com/${'a'.repeat(2_050)}`, 'length'],
  ['ipfs://', 'content-id'],
  ['ipfs://example.com/a', 'content-id'],
  [`ipfs:${CID_0}`, 'content-id'],
  [`ipfs://${CID_0.toLowerCase()}`, 'content-id'],
  [`ipfs://${CID_0}@evil.example`, 'content-id'],
  [`ipfs://${CID_0}/../../admin`, 'path'],
  [`ipfs://${CID_0}/%2e%2e/%2E./admin`, 'path'],
  [`ipfs://${CID_0}/..\\..\\admin`, 'path'],
  [`ipfs://${CID_0}/%2f..%2fadmin`, 'path'],
  [`ipfs://${CID_0}/a%2Fb.json`, 'path'],
  [`ipfs://${CID_0}/a%5Cb.json`, 'path'],
  [`ipfs://${CID_0}/1%2ejson`, 'path'],
  [`ipfs://${CID_0}/%252e%252e/admin`, 'path'],
  [`ipfs://${CID_0}/%25252fadmin`, 'path'],
  [`ar://${TX}/%2f`, 'path'],
  [`ipfs://${CID_0}/..`, 'path'],
  ['ar://some-name', 'content-id'],
  [`ar://${TX}/..`, 'path'],
  ['data:application/json', 'syntax'],
  ['data:text/html,<p>', 'media-type'],
  ['data:image/png;base64,AAAA', 'media-type'],
  ['data:application/json;charset=utf-16,{}', 'charset'],
  ['data:application/json;base64,eyJ*', 'base64'],
])('%s is refused', (uri, detail) => {
  expect(parse(uri)).toEqual(['bad-uri', detail])
})

test('a data URI may hold up to one mebibyte', () => {
  const full = Buffer.alloc(DOCUMENT_BYTES_MAX, 'x')
  expect(parse(`data:;base64,${full.toString('base64')}`)).toBe(full.toString())
  expect(parse(`data:,${full}`)).toBe(full.toString())
  expect(parse(`data:,${full}x`)).toEqual(['too-large', undefined])
  expect(parse(`data:,${'%78'.repeat(3 * DOCUMENT_BYTES_MAX)}`)).toEqual(['too-large', undefined])
})

test('no URI makes it throw, and a refusal quotes none of it', () => {
  const starts = fc.constantFrom(
    'http://',
    'https://[',
    'ipfs://',
    `ipfs://${CID_0}/`,
    'ar://',
    'data:',
    'data:,',
  )
  fc.assert(
    fc.property(starts, fc.string({ unit: 'binary', maxLength: 60 }), (start, rest) => {
      const target = parseDocumentUri(start + rest, gateways)
      if (target.kind === 'refused') expect(target.failure.detail ?? '').toMatch(/^[a-z0-9-]*$/)
      if (target.kind === 'http' && target.immutable) {
        expect(target.url.href).toMatch(/^https:\/\/(?:ipfs\.example\/ipfs|ar\.example)\//)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('the bytes of a data URI survive encoding and parsing', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      const percent = [...bytes].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
      for (const uri of [`data:;base64,${Buffer.from(bytes).toString('base64')}`, `data:,${percent}`]) {
        const target = parseDocumentUri(uri, gateways)
        expect(target.kind === 'data' && Buffer.from(target.bytes).equals(bytes)).toBe(true)
      }
    }),
  )
})
