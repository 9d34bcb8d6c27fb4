import { NETWORKS } from '@slipway/schema/network'
import { PAGE_PARAMETERS, PARAMETER_VALUES, type PagePath } from '@slipway/site/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPageCache, toPageUrl } from './page-cache.ts'
import type { RenderedPage } from './page-thread.ts'

function toPage(text: string): RenderedPage {
  const bytes = Uint8Array.from(Buffer.from(text))
  return { status: 200, page: { identity: bytes, gzip: bytes, br: bytes } }
}

/** A cache whose pages are numbered in the order in which they were rendered. */
function startCache(render = async (_url: string, _client: string) => {}, version = { current: () => 1 }) {
  let count = 0
  const { find } = createPageCache(async (url, client) => {
    count += 1
    const text = `${url} ${count}`
    await render(url, client)
    return toPage(text)
  }, version)
  return async (url: string, client = 'someone') => `${(await find(url, client)).bytes.identity.parts[0]}`
}

test('requests for a page share one rendering, and another page has its own', async () => {
  const find = startCache()
  const found = await Promise.all([find('/a'), find('/a', 'another'), find('/b')])
  expect([...found, await find('/a')]).toEqual(['/a 1', '/a 1', '/b 2', '/a 1'])
})

test('a page that fails once is rendered again for the next request', async () => {
  let failures = 0
  const find = startCache(async () => {
    failures += 1
    if (failures === 1) throw new Error('once')
  })
  const first = await Promise.allSettled([find('/a'), find('/a')])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect([await find('/a'), await find('/a')]).toEqual(['/a 2', '/a 2'])
})

test('a page from an earlier version of the data is rendered again', async () => {
  let version = 1
  const find = startCache(undefined, { current: () => version })
  expect([await find('/a'), await find('/a')]).toEqual(['/a 1', '/a 1'])
  version = 2
  expect(await find('/a')).toBe('/a 2')
})

/** A cache whose pages finish when the test says so; `renderings` are those that have begun, in order. */
function startHeldCache() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const renderings: { client: string; finish(): void; fail(): void }[] = []
  const { find } = createPageCache(
    (_, client) =>
      new Promise((resolve, reject) => {
        const finish = () => resolve(toPage(`for ${client}`))
        renderings.push({ client, finish, fail: () => reject(new Error('failed')) })
      }),
    { current: () => 1 },
  )
  const clients = () => renderings.map(({ client }) => client)
  const read = async (client: string) => `${(await find('/', client)).bytes.identity.parts[0]}`
  return { renderings, clients, read }
}

test("a client whose page doesn't finish holds up no other client that asks for the same page", async () => {
  const { renderings, clients, read } = startHeldCache()
  const greedy = read('greedy')
  await vi.advanceTimersByTimeAsync(400)
  const joined = [read('first'), read('second')]
  expect(clients()).toEqual(['greedy'])
  // Half a second after it began, new requests no longer wait for it.
  await vi.advanceTimersByTimeAsync(110)
  expect(clients()).toEqual(['greedy', 'first'])
  const late = read('third')
  renderings[1]?.finish()
  expect(await Promise.all([...joined, late])).toEqual(Array(3).fill('for first'))
  expect(await read('greedy')).toBe('for first')
  renderings[0]?.finish()
  expect(await greedy).toBe('for greedy')
  expect(await read('fourth')).toBe('for first')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(clients()).toEqual(['greedy', 'first'])
})

test('a request for a page that began long ago starts its own rendering, and takes whichever is finished first', async () => {
  const { renderings, clients, read } = startHeldCache()
  const slow = read('slow')
  await vi.advanceTimersByTimeAsync(300)
  const joined = read('joined')
  await vi.advanceTimersByTimeAsync(300)
  expect(clients()).toEqual(['slow', 'joined'])
  // A client does not pay twice for the same page.
  const again = read('joined')
  await vi.advanceTimersByTimeAsync(600)
  const another = read('another')
  expect(clients()).toEqual(['slow', 'joined', 'another'])
  renderings[0]?.finish()
  expect(await Promise.all([slow, joined])).toEqual(['for slow', 'for slow'])
  renderings[1]?.fail()
  await expect(again).rejects.toThrow('failed')
  renderings[2]?.finish()
  expect(await another).toBe('for another')
})

test("one client's refusal is not shared with another", async () => {
  const { find } = createPageCache(
    (_, client) => {
      if (client === 'greedy') throw new Error('refused')
      return Promise.resolve(toPage('page'))
    },
    { current: () => 1 },
  )
  expect(() => find('/a', 'greedy')).toThrow('refused')
  expect(await find('/a', 'another')).toMatchObject({ status: 200 })
})

const valuesOf = (name: string) =>
  (name === 'network' ? NETWORKS : (PARAMETER_VALUES[name] ?? ['a', 'b'])).slice(0, 2)

test('every value of every parameter that a page reads is a page of its own', () => {
  const pages = Object.entries(PAGE_PARAMETERS) as [PagePath, readonly string[]][]
  for (const [path, names] of pages) {
    const urls = names.flatMap(name =>
      valuesOf(name).map(value => toPageUrl(path, `${path}?${name}=${value}`)),
    )
    expect(new Set([path, ...urls]).size).toBe(1 + 2 * names.length)
  }
  expect(toPageUrl('/agents', '/agents?page=2&sort=oldest')).toBe('/agents?sort=oldest&page=2')
})

test('unread parameters, values that mean none, and the order and spelling of the others create no new page', () => {
  expect(toPageUrl('/', '/?filter=x&page=2&utm_source=z')).toBe('/')
  expect(toPageUrl('/agents', '/agents?status=live&q=+a+')).toBe('/agents?q=a')
  expect(toPageUrl('/status', '/status?network=chain-devnet&q=1')).toBe('/status')
  expect(toPageUrl('/', '/?q=a&network=chain-devnet&sort=')).toBe(
    toPageUrl('/', '/?network=chain-devnet&&q=%61'),
  )
  for (const name of ['network', 'status', 'mechanic', 'sort'])
    expect(toPageUrl('/', `/?${name}=whatever`)).toBe('/')
  expect(toPageUrl('/', `/?q=${'a'.repeat(5_000)}`)).toHaveLength(1_028)
})
