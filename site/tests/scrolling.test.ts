// @module-tag timing
// Long tasks of the browser are measured, and everything else on the machine makes them longer.
import { describe, expect, test } from 'vitest'
import { launchRows } from '../../service/src/testing/launch-rows.ts'
import { startTestService } from '../../service/src/testing/test-service.ts'
import { CHROMIUM, DESKTOP, eventually, isInteractive, openPage, TEST_MS } from './site-browser.ts'

const STEPS = 30
const JUMPS = 10

/**
 * Scrolls by a part of the screen, then by several, and reports the browser's long tasks (those over 50 ms). Between the steps
 * it runs a fixed loop: how much longer that takes at times is how much the rest of the machine slows everything down.
 */
const scroll = (options: { steps: number; by: number; jumps: number; jumpBy: number }) => `(async () => {
  const { steps, by, jumps, jumpBy } = ${JSON.stringify(options)}
  const tasks = []
  const observer = new PerformanceObserver(list => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  observer.observe({ type: 'longtask' })
  const loops = []
  for (let step = 0; step < steps + jumps; step += 1) {
    scrollBy(0, step < steps ? by : jumpBy)
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)))
    const startMs = performance.now()
    for (let sum = 0, at = 0; at < 1e6; at += 1) sum += Math.sqrt(at)
    loops.push(performance.now() - startMs)
  }
  await new Promise(done => setTimeout(done, 100))
  observer.disconnect()
  loops.sort((a, b) => a - b)
  return { tasks, slowdown: loops[Math.floor(loops.length * 0.9)] / loops[0] }
})()`

describe.skipIf(!CHROMIUM)('in a browser', () => {
  test(
    'scrolling through hundreds of launches takes little of the main thread, and next to no task takes over 50 ms',
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
      // Processor time: on a busy machine, the time of the clock says more about the others.
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable', { timeDomain: 'threadTicks' })
      const readWorkMs = async () => {
        const { metrics } = await session.send('Performance.getMetrics')
        return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
      }
      const beforeMs = await readWorkMs()
      const { tasks, slowdown } = await page.evaluate<{ tasks: number[]; slowdown: number }>(
        scroll({ steps: STEPS, by: 600, jumps: JUMPS, jumpBy: 1_500 }),
      )
      const workMs = (await readWorkMs()) - beforeMs
      expect(await page.locator('ul[class*=virtual] li').count()).toBeLessThan(60)
      // A step is several tasks, and a jump shows a whole screen of new rows. The loop counts too.
      expect(workMs / (STEPS + JUMPS)).toBeLessThan(60)
      const long = tasks.filter(ms => ms > 50 * slowdown)
      expect(long.length, `${long} ms; the machine is ${slowdown} times slower at times`).toBeLessThan(4)
    },
    TEST_MS,
  )
})
