import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CHROMIUM,
  DESKTOP,
  eventually,
  findProblems,
  openContext,
  PHONE,
  TEST_MS,
} from '../../../../site/tests/site-browser.ts'
import { launchRows } from '../../testing/launch-rows.ts'
import { rawRequest } from '../../testing/raw-request.ts'
import { startTestService, useTestService } from '../../testing/test-service.ts'

const service = useTestService()

test('the page and its assets come from this service, compressed and cacheable, under a strict policy', async () => {
  const { url } = service()
  const page = await rawRequest(url, '/docs')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const policy = page.headers['content-security-policy'] as string
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  expect(policy).not.toMatch(/https?:|unsafe-eval/)
  const assets = [...page.text.matchAll(/"(docs\/[^"]+-[\da-f]{12}\.\w+)"/g)].map(
    ([, name]) => name as string,
  )
  expect(new Set(assets).size).toBe(4)
  for (const name of new Set(assets)) {
    const asset = await rawRequest(url, `/${name}`, { headers: { 'Accept-Encoding': 'br' } })
    expect([name, asset.status]).toEqual([name, 200])
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(asset.headers['content-encoding']).toBe(name.endsWith('woff2') ? undefined : 'br')
    expect(asset.body.length).toBeLessThan(1_000_000)
  }
  expect((await rawRequest(url, '/docs/viewer-000000000000.js')).status).toBe(404)
  // This service has no site to link to.
  expect(page.text).not.toContain('href="./"')
  // Shown until the viewer has loaded.
  expect(page.text).toContain('<h1>Slipway API</h1>')
  for (const name of ['Creator rewards', 'Sign and submit'])
    expect(page.text).toContain(`<a href="#tag/${name.toLowerCase().replaceAll(' ', '-')}">${name}</a>`)
})

test('the guides are beside the endpoints, and links lead to guides and groups of endpoints', async () => {
  const { url } = service()
  const document = (await rawRequest(url, '/docs/reference.json')).json() as {
    tags: { name: string; description: string }[]
    'x-tagGroups': { name: string; tags: string[] }[]
    paths: Record<string, Record<string, { description: string }>>
  }
  const { tags, 'x-tagGroups': groups, paths } = document
  expect(groups.map(({ name }) => name)).toEqual(['Endpoints', 'Guides'])
  const text = tags.map(({ description }) => description).join('\n')
  const anchors = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target as string)
  const known = tags.map(({ name }) => `#tag/${name.toLowerCase().replaceAll(' ', '-')}`)
  const linked = Object.values(paths)
    .flatMap(path => Object.values(path))
    .flatMap(({ description }) =>
      [...description.matchAll(/\]\((#[^)]+)\)/g)].map(([, target]) => target as string),
    )
  expect(linked).toContain('#tag/owner-signed-changes')
  const unknown = [...anchors, ...linked].filter(
    target => !target.startsWith('https://') && !known.includes(target),
  )
  expect(unknown).toEqual([])
  expect(anchors).toContain('#tag/sign-and-submit')
  // The address of this deployment.
  expect(text).not.toContain('http://localhost:8080')
  expect(text).toContain('https://slipway.example/v1/launches')
})

describe.skipIf(!CHROMIUM)('in a browser', () => {
  async function openTab(options = DESKTOP) {
    const page = await (await openContext(options)).newPage()
    const outside: string[] = []
    const complaints: string[] = []
    page.on('request', request => {
      if (!/^(http:\/\/127\.0\.0\.1|data:|blob:)/.test(request.url())) outside.push(request.url())
    })
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', error => complaints.push(error.message))
    await page.addInitScript(
      "addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error('policy', violatedDirective, blockedURI))",
    )
    return { page, outside, complaints }
  }

  test(
    'the reference is accessible, fits a phone, opens an endpoint in a few taps, posts its example and contacts no other origin',
    async () => {
      const { url } = await startTestService({ site: true })
      // One page for everything: the viewer takes seconds to draw all endpoints.
      const { page, outside, complaints } = await openTab({ ...PHONE, ...DESKTOP })
      await page.goto(`${url}/docs`)
      // The placeholder disappears once the viewer has drawn the content.
      await page.locator('#outline').waitFor({ state: 'detached' })
      // Users of a screen reader or the keyboard need these. They are added a moment after the viewer has drawn something.
      await eventually(() => page.locator('#reference [aria-selected]:not([role])').count()).toBe(0)
      await eventually(() => findProblems({ page, complaints: [] })).toEqual([])

      // An experimental rule, which axe leaves out otherwise.
      const misnamed = `axe.run({ runOnly: ['label-content-name-mismatch'] }).then(({ violations }) => violations)`
      await eventually(() => page.evaluate(misnamed)).toEqual([])

      await page.setViewportSize(PHONE.viewport)
      const home = page.getByRole('link', { name: 'Slipway', exact: true })
      const target = () => home.evaluate(link => (link as unknown as { href: string }).href)
      await eventually(target).toBe(`${url}/`)
      await page.getByRole('button', { name: 'Open Menu' }).click()
      const places = page.locator('#reference .places a')
      expect(
        await places.evaluateAll(links => links.map(link => (link as unknown as { href: string }).href)),
      ).toEqual(['/', '/agents', '/rewards'].map(path => url + path))
      await page.getByRole('button', { name: 'Agents' }).first().click()
      await page.getByRole('button', { name: /^Get an agent (?!.*card)/ }).click()
      await eventually(() => page.url()).toContain('/GET/v1/agents/')
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.viewport.width)
      // A path breaks only where one of its parts ends.
      const longPath = page.locator('#reference .endpoint-path', { hasText: '/positions/' }).first()
      await eventually(() => longPath.innerHTML()).toBe(
        '/v1/<wbr>launches/<wbr>{genesisAddress}/<wbr>positions/<wbr>{wallet}',
      )

      await page.setViewportSize(DESKTOP.viewport)
      const path = '/v1/creator-rewards/claim'
      await page.goto(`${url}/docs#tag/creator-rewards/POST${path}`)
      const claim = page.locator(`section[id$="POST${path}"]`)
      // Not a click, which would wait until the page stops moving.
      await claim.getByRole('button', { name: 'Test Request' }).dispatchEvent('click')
      const [response] = await Promise.all([
        page.waitForResponse(answer => answer.url() === url + path),
        page.getByRole('button', { name: /^Send/ }).first().dispatchEvent('click'),
      ])
      // The wallet of the example is valid. This service has no chains.
      expect(await response.json()).toEqual({
        error: { message: '✖ Network does not match this server' },
      })
      for (const guide of ['Sign and submit', 'Rate limits', 'Errors'])
        expect(await page.getByRole('button', { name: guide, exact: true }).count()).toBe(1)
      expect(await target()).toBe(`${url}/`)
      expect(outside).toEqual([])
      // The browser reports every response with an error status, and every violation of the policy. The viewer reports
      // schemas that it does not understand.
      expect(complaints.filter(text => !text.includes('status of 400'))).toEqual([])
    },
    TEST_MS,
  )

  test('a browser reads a whole gzip listing from a page of another origin', async () => {
    const launches = Array.from({ length: 1_000 }, (_, at) => launchRows(`browser ${at}`))
    const { url } = await startTestService({ launches })
    const { page } = await openTab()
    const elsewhere = createServer((_request, response) => response.end('<!doctype html>')).listen(
      0,
      '127.0.0.1',
    )
    onTestFinished(async () => {
      elsewhere.closeAllConnections()
      await new Promise(resolve => elsewhere.close(resolve))
    })
    await once(elsewhere, 'listening')
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as { port: number }).port}`)
    const count = await page.evaluate(async target => {
      const response = await fetch(target)
      const { data } = (await response.json()) as { data: unknown[] }
      return [data.length, response.headers.get('etag') !== null]
    }, `${url}/v1/launches`)
    expect(count).toEqual([1_000, true])
  })
})
