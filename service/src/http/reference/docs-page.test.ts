// @module-tag timing
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchRows } from '../../testing/launch-rows.ts'
import { rawRequest } from '../../testing/raw-request.ts'
import { startTestService } from '../../testing/test-service.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync)

test('the reference page loads nothing from elsewhere', async () => {
  const { url } = await startTestService()
  const { text, headers } = await rawRequest(url, '/docs')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).not.toContain('unsafe')
})

describe.skipIf(!CHROMIUM)('in a browser', () => {
  let browser: Browser | undefined
  afterAll(() => browser?.close())

  async function openPage() {
    browser ??= await chromium.launch({
      executablePath: CHROMIUM as string,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    })
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    const outside: string[] = []
    const complaints: string[] = []
    page.on('request', request => {
      if (!/^(http:\/\/127\.0\.0\.1|data:)/.test(request.url())) outside.push(request.url())
    })
    page.on('console', message => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', error => complaints.push(error.message))
    return { page, outside, complaints }
  }

  test('the reference lists the endpoints of launches, and sends a request from its form', async () => {
    const { url } = await startTestService({ launches: [launchRows('shown', { spotlight: true })] })
    const { page, outside, complaints } = await openPage()
    await page.goto(`${url}/docs`)
    for (const heading of ['List launches', 'Get a launch', 'Get a token'])
      expect(await page.getByRole('heading', { name: heading }).count()).toBe(1)
    const form = page.locator('#listLaunches form')
    await form.locator('[name=spotlight]').selectOption('true')
    await form.getByRole('button').click()
    await expect.poll(() => form.locator('output').textContent()).toBe('200 /v1/launches?spotlight=true')
    expect(await form.locator('pre').textContent()).toContain('"name": "shown"')
    expect([outside, complaints]).toEqual([[], []])
  })

  test('on a phone, the reference fits the screen, and its contents can be opened and closed', async () => {
    const { url } = await startTestService()
    const { page } = await openPage()
    await page.goto(`${url}/docs`)
    const link = page.locator('nav a[href="#getToken"]')
    expect(await link.isVisible()).toBe(true)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => link.isVisible()).toBe(false)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.getByText('Contents').click()
    await link.click()
    expect(page.url()).toBe(`${url}/docs#getToken`)
    await expect.poll(() => link.isVisible()).toBe(false)
  })

  test('a browser reads a whole gzip listing from a page of another origin', async () => {
    const launches = Array.from({ length: 1_000 }, (_, at) => launchRows(`browser ${at}`))
    const { url } = await startTestService({ launches })
    const { page } = await openPage()
    const elsewhere = createServer((_request, response) => response.end('<!doctype html>')).listen(
      0,
      '127.0.0.1',
    )
    onTestFinished(() => void elsewhere.close())
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
