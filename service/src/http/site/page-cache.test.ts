import { PAGE_PARAMETERS, type PagePath } from '@slipway/site/protocol'
import { expect, test } from 'vitest'
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

test('every value of every parameter that a page reads is a page of its own', () => {
  const pages = Object.entries(PAGE_PARAMETERS) as [PagePath, readonly string[]][]
  for (const [path, names] of pages) {
    const urls = names.flatMap(name => ['a', 'b'].map(value => toPageUrl(path, `${path}?${name}=${value}`)))
    expect(new Set([path, ...urls]).size).toBe(1 + 2 * names.length)
  }
  expect(toPageUrl('/agents', '/agents?page=2&sort=oldest')).toBe('/agents?sort=oldest&page=2')
})

test('unread parameters, and the order and spelling of the others, create no new page', () => {
  expect(toPageUrl('/', '/?filter=x&sort=y&utm_source=z')).toBe('/')
  expect(toPageUrl('/agents', '/agents?status=live&q=+a+')).toBe('/agents?q=a')
  expect(toPageUrl('/status', '/status?network=chain-devnet&q=1')).toBe('/status')
  expect(toPageUrl('/', '/?q=a&network=b&page=')).toBe(toPageUrl('/', '/?network=b&&q=%61'))
  expect(toPageUrl('/', `/?q=${'a'.repeat(5_000)}`)).toHaveLength(204)
})
