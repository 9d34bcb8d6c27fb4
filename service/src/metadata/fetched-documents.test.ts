import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { FetchFor } from './fetch/safe-fetch.ts'
import { createTestFetch, startWeb } from './fetch/test-web.ts'
import { type DocumentResult, failure, parseJsonText } from './fetched-document.ts'
import { createFetchedDocuments, type FetchedDocumentsOptions } from './fetched-documents.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const URI = 'https://docs.example/a.json'

/** Documents with a fetch and a clock that the test controls. */
function createTest(options: Partial<FetchedDocumentsOptions> = {}) {
  const world = {
    nowMs: 1_700_000_000_000,
    answer: parseJsonText('{"version":1}') as DocumentResult | Promise<DocumentResult>,
    fetched: [] as string[],
    faults: [] as unknown[],
  }
  const documents = createFetchedDocuments({
    ipfsGateway: 'https://ipfs.example/ipfs/',
    arweaveGateway: 'https://ar.example/',
    async fetch(url, { background }) {
      world.fetched.push(`${background ? 'background ' : ''}${url.href}`)
      return world.answer
    },
    onFault: error => void world.faults.push(error),
    now: () => world.nowMs,
    ...options,
  })
  const version = async (uri = URI) => {
    const result = await documents.get(uri)
    return result.ok ? result.value.version : result.reason
  }
  return Object.assign(world, { documents, version })
}

/** Lets background fetches finish. */
const settle = () => sleep(5)

test('a fresh document is fetched once, however many callers want it', async () => {
  const world = createTest()
  await Promise.all(Array.from({ length: 20 }, () => world.version()))
  world.nowMs += 5 * MINUTE_MS - 1
  expect(await world.version()).toBe(1)
  expect(world.fetched).toEqual([URI])
})

test('a stale document is returned at once and refreshed in the background', async () => {
  const world = createTest()
  await world.version()
  let deliver: (result: DocumentResult) => void = () => {}
  world.answer = new Promise(resolve => {
    deliver = resolve
  })
  world.nowMs += 5 * MINUTE_MS
  expect(await world.version()).toBe(1)
  expect(await world.version()).toBe(1)
  expect(world.fetched).toEqual([URI, `background ${URI}`])
  deliver(parseJsonText('{"version":2}'))
  await settle()
  expect(await world.version()).toBe(2)
  expect(world.fetched).toHaveLength(2)
})

test('a document has the time of its fetch, not of the call', async () => {
  const world = createTest()
  const fetchedAtMs = world.nowMs
  expect(await world.documents.get(URI)).toMatchObject({ fetchedAtMs })
  world.nowMs += MINUTE_MS
  expect(await world.documents.get(URI)).toMatchObject({ fetchedAtMs })
  expect(await world.documents.refresh(URI)).toMatchObject({ fetchedAtMs: world.nowMs })
  expect(await world.documents.get(URI)).toMatchObject({ fetchedAtMs: world.nowMs })
  expect(await world.documents.get('data:,{}')).not.toHaveProperty('fetchedAtMs')
})

test('a content-addressed document is fresh for a day', async () => {
  const world = createTest()
  const uri = 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/1.json'
  await world.version(uri)
  world.nowMs += DAY_MS - 1
  await world.version(uri)
  expect(world.fetched).toEqual([
    'https://ipfs.example/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/1.json',
  ])
  world.nowMs += 1
  await world.version(uri)
  expect(world.fetched).toHaveLength(2)
})

test('failures are cached, each for twice as long as the one before, up to an hour', async () => {
  const world = createTest()
  world.answer = failure('http-status', '503')
  expect(await world.documents.get(URI)).toEqual({ ok: false, reason: 'http-status', detail: '503' })
  for (const [index, minutes] of [0.5, 1, 2, 4, 8, 16, 32, 60, 60].entries()) {
    world.nowMs += minutes * MINUTE_MS - 1
    expect(await world.version()).toBe('http-status')
    expect(world.fetched).toHaveLength(index + 1)
    world.nowMs += 1
    expect(await world.version()).toBe('http-status')
    expect(world.fetched).toHaveLength(index + 2)
    await settle()
  }
  // A success resets the delay.
  world.answer = parseJsonText('{"version":1}')
  world.nowMs += 60 * MINUTE_MS
  expect(await world.version()).toBe('http-status')
  await settle()
  expect(await world.version()).toBe(1)
})

test('a failed refresh keeps the copy until it is 30 days old', async () => {
  const world = createTest()
  await world.version()
  world.answer = failure('unreachable')
  world.nowMs += DAY_MS
  expect(await world.version()).toBe(1)
  await settle()
  expect(await world.version()).toBe(1)
  world.nowMs += 30 * DAY_MS
  expect(await world.version()).toBe(1)
  await settle()
  expect(await world.version()).toBe('unreachable')
})

test.each([
  ['busy', undefined],
  ['stopped', undefined],
  ['timeout', 'queue'],
] as const)('%s %s is not cached', async (reason, detail) => {
  const world = createTest()
  world.answer = failure(reason, detail)
  expect(await world.version()).toBe(reason)
  world.answer = parseJsonText('{"version":1}')
  expect(await world.version()).toBe(1)
  expect(world.fetched).toHaveLength(2)
})

test("an owner's callers don't wait for another owner's turn", async () => {
  const world = createTest()
  const answers: ((result: DocumentResult) => void)[] = []
  const get = (forWhom: FetchFor) => {
    world.answer = new Promise(resolve => answers.push(resolve))
    return world.documents.get(URI, { network: 'chain-mainnet', ...forWhom })
  }
  const results = ['attacker', 'victim', 'victim'].map(owner => get({ owner }))
  results.push(get({ owner: 'victim', network: 'chain-devnet' }))
  expect(world.fetched).toHaveLength(3)
  answers[1]?.(parseJsonText('{"version":1}'))
  expect(await Promise.all(results.slice(1, 3))).toMatchObject([{ ok: true }, { ok: true }])
})

test('of failures at the same time, only the first delays the next fetch', async () => {
  const world = createTest()
  world.answer = failure('unreachable')
  await Promise.all(['one', 'two', 'three'].map(owner => world.documents.get(URI, { owner })))
  world.nowMs += MINUTE_MS / 2
  await world.version()
  expect(world.fetched).toHaveLength(4)
})

test('refresh always fetches and returns the outcome, whatever is cached', async () => {
  const world = createTest()
  await world.version()
  world.answer = parseJsonText('{"version":2}')
  expect(await world.documents.refresh(URI)).toMatchObject({ ok: true, value: { version: 2 } })
  world.answer = failure('timeout')
  expect(await world.documents.refresh(URI)).toEqual({ ok: false, reason: 'timeout' })
  expect(await world.version()).toBe(2)
})

test('a caller can stop waiting for a slow document and get it from the cache later', async () => {
  const world = createTest()
  let deliver: (result: DocumentResult) => void = () => {}
  world.answer = new Promise(resolve => {
    deliver = resolve
  })
  expect(await world.documents.get(URI, { waitMsMax: 20 })).toEqual({
    ok: false,
    reason: 'timeout',
    detail: 'waiting',
  })
  const patient = world.documents.get(URI)
  deliver(parseJsonText('{"version":1}'))
  expect(await patient).toMatchObject({ ok: true })
  expect(world.fetched).toHaveLength(1)
  expect(await world.documents.get(URI, { waitMsMax: 20 })).toMatchObject({ ok: true })
})

test('a caller that changes its document does not change any other copy', async () => {
  const world = createTest()
  const get = () => world.documents.get(URI)
  const results = await Promise.all([get(), get()].concat([1, 2].map(() => world.documents.refresh(URI))))
  for (const result of [...results, await get(), await get()]) {
    expect(result).toMatchObject({ value: { version: 1 } })
    if (result.ok) result.value.version = 'changed'
  }
  expect(await world.version()).toBe(1)
})

test('data URIs and refused URIs use neither the network nor the cache', async () => {
  const world = createTest()
  expect(await world.version('data:application/json,{"version":"inline"}')).toBe('inline')
  expect(await world.version('data:,[]')).toBe('not-an-object')
  expect(await world.version('file:///etc/passwd')).toBe('bad-uri')
  expect(await world.documents.refresh('data:,{}')).toMatchObject({ ok: true })
  expect(world.fetched).toEqual([])
})

test('a URI of our own is resolved directly on every call', async () => {
  let version = 0
  const world = createTest({
    own: {
      url: 'http://localhost:8080',
      async resolve(path) {
        if (path === '/broken') throw new Error('secret')
        version += 1
        return path === '/v1/card.json?a=b' ? `{"version":${version}}` : undefined
      },
    },
  })
  expect(await world.version('http://localhost:8080/v1/card.json?a=b')).toBe(1)
  expect(await world.version('http://localhost:8080/v1/card.json?a=b#c')).toBe(2)
  expect(await world.documents.get('http://localhost:8080/other')).toEqual(failure('http-status', '404'))
  expect(await world.documents.get('http://localhost:8080/broken')).toEqual(failure('unreachable', 'own'))
  expect(world.faults).toHaveLength(1)
  expect(world.fetched).toEqual([])
})

test('the cache is bounded in bytes and evicts the least recently used', async () => {
  const world = createTest({ limits: { cacheBytesMax: 100_000 } })
  world.answer = parseJsonText(JSON.stringify({ version: 1, padding: 'x'.repeat(10_000) }))
  for (const name of ['a', 'b', 'c', 'd']) await world.version(`https://docs.example/${name}`)
  await world.version('https://docs.example/a')
  await world.version('https://docs.example/e')
  const { length } = world.fetched
  for (const name of ['a', 'c', 'd', 'e']) await world.version(`https://docs.example/${name}`)
  expect(world.fetched).toHaveLength(length)
  await world.version('https://docs.example/b')
  expect(world.fetched).toHaveLength(length + 1)
})

test('a copy evicted during its refresh survives a failure of that refresh', async () => {
  const world = createTest({ limits: { cacheBytesMax: 3_000 } })
  await world.version()
  let deliver: (result: DocumentResult) => void = () => {}
  world.answer = new Promise(resolve => {
    deliver = resolve
  })
  world.nowMs += 5 * MINUTE_MS
  expect(await world.version()).toBe(1)
  world.answer = parseJsonText(JSON.stringify({ version: 2, padding: 'x'.repeat(1_000) }))
  expect(await world.version('https://docs.example/b.json')).toBe(2)
  deliver(failure('unreachable'))
  await settle()
  expect(await world.version()).toBe(1)
})

test('with the real fetch, concurrent callers share a request, a failure is cached, and a change appears', async () => {
  let status = 200
  let version = 1
  const web = await startWeb((_request, response) => {
    response.writeHead(status)
    setTimeout(() => response.end(JSON.stringify({ version })), 20)
  })
  const { fetch } = createTestFetch({})
  const world = createTest({ fetch })
  const uri = (name: string) => `http://a.open:${web.port}/${name}`
  await Promise.all([1, 2, 3].map(() => world.version(uri('good'))))
  expect(web.requests).toHaveLength(1)
  status = 500
  for (let turn = 0; turn < 3; turn += 1) expect(await world.version(uri('bad'))).toBe('http-status')
  expect(web.requests).toHaveLength(2)
  ;[status, version] = [200, 2]
  world.nowMs += 5 * MINUTE_MS
  expect(await world.version(uri('good'))).toBe(1)
  expect(await world.version(uri('bad'))).toBe('http-status')
  await expect
    .poll(async () => [await world.version(uri('good')), await world.version(uri('bad'))])
    .toEqual([2, 2])
})
