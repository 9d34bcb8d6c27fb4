import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { parseDocumentUri } from '../parse-document-uri.ts'
import { createSafeFetch } from './safe-fetch.ts'
import { createTestCertificate } from './test-certificate.ts'
import { createTestFetch, sendJson, startWeb } from './test-web.ts'

const secret = sendJson({ secret: true })

test('a JSON object is fetched with one GET without cookies, referrer or credentials', async () => {
  const headers: string[][] = []
  const web = await startWeb((request, response) => {
    headers.push(request.rawHeaders)
    response.setHeader('set-cookie', 'a=b')
    response.setHeader('content-type', 'text/html')
    response.end('\ufeff{"name":"Ada"}')
  })
  const { get, fetched } = createTestFetch({})
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await get(`http://a.open:${web.port}/x.json?y=z`)).toEqual({
      ok: true,
      value: { name: 'Ada' },
      text: '{"name":"Ada"}',
      bytes: 17,
    })
  }
  const expected = [
    ...['host', `a.open:${web.port}`, 'connection', 'close', 'accept', 'application/json, */*;q=0.5'],
    ...['accept-encoding', 'gzip, deflate, br', 'user-agent', 'slipway'],
  ]
  expect(headers).toEqual([expected, expected])
  expect(web.requests).toEqual(['a.open/x.json?y=z', 'a.open/x.json?y=z'])
  expect(fetched).toEqual(['ok', 'ok'])
})

const LOOPBACK = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
  ...['0x7F.0x0.0x0.0x1', '00000177.0.0.01', '127.0.0.1.', '%31%32%37.0.0.1', '127。0。0。1', '①②⑦.⓪.⓪.①'],
  ...['0', '0.0.0.0', '127.255.255.254', 'localhost', 'LOCALHOST', 'localhost.', 'files.localhost'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::]', '[::127.0.0.1]', '[::7f00:1]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:FFFF:127.0.0.1]', '[::ffff:0:127.0.0.1]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001::80ff:fffe]'],
]
const PRIVATE = [
  ...['10.0.0.1', '0xa.1', '167772161', '172.16.0.1', '192.168.1.1', '3232235777', '0300.0250.1.1'],
  ...['169.254.169.254', '2852039166', '0xA9FEA9FE', '0251.0376.0251.0376', '100.100.100.200', '100.64.0.1'],
  ...['192.0.0.192', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[fec0::1]', '[ff02::1]', '[100::1]', '[2001:db8::1]'],
  ...['[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::1]'],
]

test.each([...LOOPBACK, ...PRIVATE])('no connection is made to http://%s as a URI', async host => {
  const web = await startWeb(secret)
  const { fetch, lookups } = createTestFetch({})
  const target = parseDocumentUri(`http://${host}:${web.port}/`, { ipfsGateway: '', arweaveGateway: '' })
  if (target.kind !== 'http') throw new Error(`${host} did not parse`)
  expect(await fetch(target.url)).toEqual({ ok: false, reason: 'private-address' })
  expect(web.connections).toBe(0)
  expect(lookups).toEqual([])
})

test.each([...LOOPBACK, ...PRIVATE])(
  'no connection is made to http://%s as a redirect target',
  async host => {
    const inside = await startWeb(secret)
    const outside = await startWeb((_request, response) => {
      response.writeHead(302, {
        location: `http://${host.replace(/[^\0-~]+/g, encodeURIComponent)}:${inside.port}/`,
      })
      response.end()
    })
    const { get } = createTestFetch({})
    expect(await get(`http://a.open:${outside.port}/`)).toEqual({ ok: false, reason: 'private-address' })
    expect([outside.connections, inside.connections]).toEqual([1, 0])
  },
)

test.each([
  ['127.0.0.1'],
  ['::1'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['::ffff:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['fd00::1'],
  ['fe80::1%lo'],
  ['93.184.216.34', '127.0.0.1'],
  ['2606:4700::1', '::1'],
])('no connection is made if a name has the addresses %s %s', async (...addresses) => {
  const web = await startWeb(secret)
  const redirecting = await startWeb((_request, response) => {
    response.writeHead(307, { location: `http://rebound.example:${web.port}/` })
    response.end()
  })
  const { get } = createTestFetch({ names: { 'rebound.example': addresses.filter(Boolean) } })
  const refused = { ok: false, reason: 'private-address' }
  expect(await get(`http://rebound.example:${web.port}/`)).toEqual(refused)
  expect(await get(`http://a.open:${redirecting.port}/`)).toEqual(refused)
  expect(web.connections).toBe(0)
})

test('the connection goes to the address that was checked, after one look-up per hop', async () => {
  const web = await startWeb(secret)
  let answers = 0
  const { get, lookups } = createTestFetch({
    limits: { timeoutMs: 500 },
    // Public (though unused) on the first look-up, loopback from then on.
    names: { 'rebound.example': () => (answers++ === 0 ? ['3333::1'] : ['127.0.0.1']) },
  })
  expect(await get(`http://rebound.example:${web.port}/`)).toMatchObject({ ok: false })
  expect(lookups).toEqual(['rebound.example'])
  expect(web.connections).toBe(0)
  // Conversely, the connection goes to the address from the look-up, although the system does not know the name.
  expect(await get(`http://a.open:${web.port}/`)).toMatchObject({ ok: true })
  expect(lookups).toEqual(['rebound.example', 'a.open'])
  // A second look-up is checked like the first.
  expect(await get(`http://rebound.example:${web.port}/`)).toEqual({ ok: false, reason: 'private-address' })
  expect(web.connections).toBe(1)
})

test('the exemption of an allowed host covers only its exact name and port', async () => {
  const web = await startWeb(sendJson({}))
  const other = await startWeb(sendJson({}))
  const names = { 'in.test': ['127.0.0.1'], 'x.in.test': ['127.0.0.1'], 'all.test': ['127.0.0.1'] }
  const { get } = createTestFetch({
    names,
    allowHosts: [`in.test:${web.port}`, 'all.test', `127.1:${web.port}`, `[0:0::1]:${web.port}`],
  })
  const isOk = async (url: string) => (await get(url)).ok
  expect(await isOk(`http://in.test:${web.port}/`)).toBe(true)
  expect(await isOk(`http://in.test:${other.port}/`)).toBe(false)
  expect(await isOk(`http://x.in.test:${web.port}/`)).toBe(false)
  expect(await isOk(`http://all.test:${web.port}/`)).toBe(true)
  expect(await isOk(`http://all.test:${other.port}/`)).toBe(true)
  expect(await isOk(`http://127.0.0.1:${web.port}/`)).toBe(true)
  expect(await isOk(`http://127.0.0.1:${other.port}/`)).toBe(false)
  expect(await isOk(`http://127.0.0.2:${web.port}/`)).toBe(false)
  // Nothing listens there, but the connection was attempted.
  expect(await get(`http://[::1]:${web.port}/`)).toMatchObject({ reason: 'unreachable' })
  expect(await get(`http://[::1]:${other.port}/`)).toMatchObject({ reason: 'private-address' })
})

test('an allowed name is resolved by the system', async () => {
  const web = await startWeb(sendJson({ here: true }))
  const { fetch } = createSafeFetch({ allowHosts: [`localhost:${web.port}`] })
  expect(await fetch(new URL(`http://localhost:${web.port}/`))).toMatchObject({ ok: true })
})

test('with several addresses, the one that answers is used', async () => {
  const web = await startWeb(sendJson({ here: true }))
  const { get } = createTestFetch({ names: { 'a.open': ['127.0.0.9', '::1', '127.0.0.1'] } })
  expect(await get(`http://a.open:${web.port}/`)).toMatchObject({ ok: true, value: { here: true } })
})

test('up to four redirects are followed, each with its own look-up', async () => {
  const web = await startWeb((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) return response.end('{"end":true}')
    response.writeHead([301, 302, 303, 307, 308][left % 5] as number, {
      location: left % 2 ? `/${left - 1}` : `http://b.open:${web.port}/${left - 1}`,
    })
    response.end('<html>')
  })
  const { get, lookups } = createTestFetch({})
  expect(await get(`http://a.open:${web.port}/4`)).toMatchObject({ ok: true, value: { end: true } })
  expect(lookups).toEqual(['a.open', 'b.open', 'b.open', 'b.open', 'b.open'])
  expect(await get(`http://a.open:${web.port}/5`)).toEqual({ ok: false, reason: 'too-many-redirects' })
})

test('a redirect loop ends at the limit', async () => {
  const web = await startWeb((_request, response) => {
    response.writeHead(302, { location: '/' })
    response.end()
  })
  expect(await createTestFetch({}).get(`http://a.open:${web.port}/`)).toEqual({
    ok: false,
    reason: 'too-many-redirects',
  })
  expect(web.connections).toBe(5)
})

test.each([
  ['file:///etc/passwd', 'scheme'],
  ['data:application/json,{}', 'scheme'],
  ['ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['http://user:pass@a.open/', 'credentials'],
  ['http://a.open:25/', 'port'],
  ['http://', 'syntax'],
  [undefined, 'location'],
])('a redirect to %s is not followed', async (location, detail) => {
  const web = await startWeb((_request, response) => {
    response.writeHead(302, location === undefined ? {} : { location })
    response.end('{}')
  })
  const { get } = createTestFetch({})
  expect(await get(`http://a.open:${web.port}/`)).toEqual({ ok: false, reason: 'bad-redirect', detail })
})

test('https sends the requested name, requires a trusted certificate for it, and never redirects to http', async () => {
  const certificate = createTestCertificate('a.open')
  const plain = await startWeb(sendJson({}))
  const names: unknown[] = []
  const web = await startWeb((request, response) => {
    names.push((request.socket as TLSSocket & { servername: string }).servername)
    if (request.url === '/down') response.writeHead(302, { location: `http://b.open:${plain.port}/` })
    response.end('{"safe":true}')
  }, certificate)
  const trusting = createTestFetch({ ca: certificate.cert })
  expect(await trusting.get(`https://a.open:${web.port}/`)).toMatchObject({ ok: true, value: { safe: true } })
  // Hosts with many names choose the certificate by it.
  expect(names).toEqual(['a.open'])
  expect(await trusting.get(`https://b.open:${web.port}/`)).toEqual({
    ok: false,
    reason: 'unreachable',
    detail: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
  expect(await createTestFetch({}).get(`https://a.open:${web.port}/`)).toEqual({
    ok: false,
    reason: 'unreachable',
    detail: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
  expect(await trusting.get(`https://a.open:${web.port}/down`)).toEqual({
    ok: false,
    reason: 'bad-redirect',
    detail: 'downgrade',
  })
  expect(plain.connections).toBe(0)
})

test('a redirect to one of our own URLs is resolved without a connection', async () => {
  const self = await startWeb(secret)
  const web = await startWeb((request, response) => {
    response.writeHead(302, { location: `http://a.open:${self.port}${request.url}` })
    response.end()
  })
  const paths: string[] = []
  const { get } = createTestFetch({
    own: {
      url: `http://a.open:${self.port}/base`,
      async resolve(path) {
        paths.push(path)
        return path.startsWith('/v1/') ? '{"own":1}' : undefined
      },
    },
  })
  const from = `http://b.open:${web.port}`
  expect(await get(`${from}/base/v1/x?y=z`)).toMatchObject({ ok: true, value: { own: 1 } })
  expect(await get(`${from}/base/other`)).toEqual({ ok: false, reason: 'http-status', detail: '404' })
  expect(self.connections).toBe(0)
  expect(paths).toEqual(['/v1/x?y=z', '/other'])
  // A path outside our base path may belong to another service.
  expect(await get(`${from}/basement`)).toMatchObject({ value: { secret: true } })
})

test('close ends running and waiting fetches at once', async () => {
  const web = await startWeb(() => {})
  const { get, close } = createTestFetch({ limits: { slotsPerSite: 1, timeoutMs: 60_000 } })
  const results = [1, 2].map(() => get(`http://a.open:${web.port}/`))
  await expect.poll(() => web.connections).toBe(1)
  close()
  const stopped = { ok: false, reason: 'stopped' }
  expect(await Promise.all(results)).toEqual([stopped, stopped])
  expect(await get(`http://a.open:${web.port}/`)).toEqual(stopped)
})
