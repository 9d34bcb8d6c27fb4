import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { launchRows } from '../../service/src/testing/launch-rows.ts'
import { startTestService } from '../../service/src/testing/test-service.ts'
import { CHROMIUM, DESKTOP, eventually, isInteractive, openPage, TEST_MS } from './site-browser.ts'

const STEPS = 30
const JUMPS = 10
/** A step usually takes 3 to 6 loops, and a jump, which shows a whole screen of new rows, 11. */
const STEP_LOOPS_MAX = 15
const JUMP_LOOPS_MAX = 25

/** Scrolls and waits until that is drawn. */
const scroll = (by: number) => `(async () => {
  scrollBy(0, ${by})
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)))
})()`
/** What a slow machine takes longer for, too: about 3.5 ms. */
const LOOP = 'for (let sum = 0, at = 0; at < 1e6; at += 1) sum += Math.sqrt(at)'

/**
 * Measures the processor time of the page's main thread: on a busy machine, the time of the clock says more about the
 * others.
 */
async function createMeter(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readWorkMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  return async (script: string): Promise<number> => {
    const beforeMs = await readWorkMs()
    await page.evaluate(script)
    return (await readWorkMs()) - beforeMs
  }
}

describe.skipIf(!CHROMIUM)('in a browser', () => {
  test(
    'scrolling through hundreds of launches takes little of the main thread, and next to no step takes long',
    async () => {
      const many = Array.from({ length: 500 }, (_, at) =>
        launchRows(`launch number ${at}`, { lastActivityAt: new Date(Date.now() - at * 1_000) }),
      )
      const { url } = await startTestService({ site: true, launches: many })
      const { page } = await openPage(url, { ...DESKTOP, hurries: false })
      await isInteractive(page)
      const scrollToEnd = () =>
        page.evaluate<number>('scrollTo(0, document.body.scrollHeight), document.body.scrollHeight')
      await eventually(scrollToEnd).toBeGreaterThan(200 * 72)
      await page.getByRole('link', { name: 'Show more' }).click()
      await eventually(scrollToEnd).toBeGreaterThan(400 * 72)
      await page.evaluate('scrollTo(0, 0)')
      await page.evaluate('new Promise(done => requestIdleCallback(() => done()))')
      const measure = await createMeter(page)
      const works: number[] = []
      const loops: number[] = []
      for (let step = 0; step < STEPS + JUMPS; step += 1) {
        works.push(await measure(scroll(step < STEPS ? 600 : 1_500)))
        loops.push(await measure(LOOP))
      }
      const loopMs = loops.toSorted((a, b) => a - b)[loops.length / 2] as number
      const isLong = (workMs: number, step: number) =>
        workMs > loopMs * (step < STEPS ? STEP_LOOPS_MAX : JUMP_LOOPS_MAX)
      expect(works.filter(isLong).length, `${works} ms; a loop takes ${loopMs} ms`).toBeLessThan(4)
      expect(await page.locator('ul[class*=virtual] li').count()).toBeLessThan(60)
    },
    TEST_MS,
  )
})
