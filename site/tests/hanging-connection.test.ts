import { describe, expect, test } from 'vitest'
import { startFreezingProxy } from '../../service/src/testing/freezing-proxy.ts'
import { startTestService } from '../../service/src/testing/test-service.ts'
import { CHROMIUM, DESKTOP, isInteractive, openPage, TEST_MS } from './site-browser.ts'

const STEP_MS = 1_000
const SLOW = 'The service is slow to answer.'
const UNREACHABLE = /^Not updating since \d\d:\d\d\. The service is not answering\.$/

describe.skipIf(!CHROMIUM)('in a browser', () => {
  test(
    'when the connection hangs, an idle page first says that the service is slow, then that it is not answering, and recovers',
    async () => {
      const service = await startTestService({ site: true })
      const proxy = await startFreezingProxy({ host: '127.0.0.1', port: Number(new URL(service.url).port) })
      const { page } = await openPage('about:blank', { ...DESKTOP, hurries: false })
      await page.clock.install()
      // This page asks for nothing.
      await page.goto(`http://127.0.0.1:${proxy.port}/rewards`)
      await isInteractive(page)
      const isShown = (text: string | RegExp) => page.getByText(text).isVisible()
      await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 500)
      let waitedMs = 0
      /** From here on, only this moves the page's clock. Returns how long it took. */
      async function waitUntil(text: string | RegExp, isThere: boolean): Promise<number> {
        const startMs = waitedMs
        await expect
          .poll(
            async () => {
              await page.clock.runFor(STEP_MS)
              waitedMs += STEP_MS
              return isShown(text)
            },
            { timeout: 60_000 },
          )
          .toBe(isThere)
        return waitedMs - startMs
      }
      proxy.isFrozen = true
      expect(await waitUntil(SLOW, true)).toBeLessThanOrEqual(10_000)
      expect(await isShown(UNREACHABLE)).toBe(false)

      // Another page needs data, which doesn't come either.
      await page.getByRole('link', { name: 'Agents' }).click()
      await waitUntil(UNREACHABLE, true)
      await waitUntil(/^The service is not answering$/, true)

      // Requests that were lost are not answered; new ones are.
      proxy.isFrozen = false
      await waitUntil(UNREACHABLE, false)
      await waitUntil(/^0 agents/, true)
    },
    TEST_MS,
  )
})
