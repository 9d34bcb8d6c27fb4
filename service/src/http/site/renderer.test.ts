// @module-tag timing
// A thread that gets no CPU time for a while looks like one that hangs.
import { setTimeout as sleep } from 'node:timers/promises'
import { test as baseTest, expect } from 'vitest'
import { createRenderer, PageRefused, type RenderLimits, type RenderObserver } from './renderer.ts'
import { createTestBuild } from './test-page-program.ts'

const SETTINGS = {
  publicUrl: 'https://slipway.example',
  networks: [],
  rpc: {},
  isEmbedded: false,
  isDemo: false,
  hasDemoWallet: false,
}

/** For a thread that must survive: four times this is longer than a busy machine leaves it without CPU time. */
const SILENT_MS = 1_500
/** A thread takes long to start while the machine is busy. */
const STARTED = { timeout: 30_000 }

interface Options {
  limits?: Partial<RenderLimits>
  /** The status that the API answers with. */
  answer?: (url: string) => Promise<number>
  program?: string
  version?: { current(): number; lastEventId(): string }
}

/** A renderer whose threads run a stand-in for the pages. `seen` records what its observer receives. */
function createTestRenderer({
  limits,
  answer = async () => 200,
  program,
  version = { current: () => 1, lastEventId: () => '0' },
}: Options) {
  const seen = {
    rendered: [] as string[],
    refused: [] as string[],
    ended: [] as string[],
    failed: [] as string[],
  }
  const observer: RenderObserver = {
    onRendered: outcome => void seen.rendered.push(outcome),
    onWaiting: () => {},
    onRefused: reason => void seen.refused.push(reason),
    onThreadEnded: reason => void seen.ended.push(reason),
    onFailed: error => void seen.failed.push((error as Error).message),
  }
  const renderer = createRenderer({
    build: createTestBuild(program),
    settings: SETTINGS,
    api: async url => ({ status: await answer(url), encoding: 'identity', parts: [] }),
    version,
    observer,
    limits: { restartMs: 20, ...limits },
  })
  return {
    ...renderer,
    seen,
    async render(url: string, client = 'someone') {
      const { page } = await renderer.render(url, client)
      return Buffer.from(page.identity).toString()
    },
  }
}

/** `startRenderer` closes its renderer with the test that it belongs to, also if tests run at the same time. */
const test = baseTest.extend<{ startRenderer(options?: Options): ReturnType<typeof createTestRenderer> }>({
  startRenderer: ({ onTestFinished }, use) =>
    use((options = {}) => {
      const renderer = createTestRenderer(options)
      onTestFinished(renderer.close)
      return renderer
    }),
})

test('a page that fails affects no other page, and the thread goes on', async ({ startRenderer }) => {
  const { render, seen } = startRenderer()
  const [failed, other] = await Promise.allSettled([render('/throws'), render('/other')])
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'Error: a component failed' } })
  expect(other).toMatchObject({ value: '/other' })
  expect(await render('/again')).toBe('/again')
  expect(seen).toMatchObject({
    rendered: ['failed', 'ok', 'ok'],
    ended: [],
    failed: ['Error: a component failed'],
  })
})

test('a page that loops forever is given up, and the next thread renders the pages behind it', async ({
  startRenderer,
}) => {
  const { render, seen } = startRenderer({ limits: { silentMs: SILENT_MS } })
  const looping = render('/loops')
  const behind = ['/a', '/b', '/c'].map(url => render(url, 'another'))
  await expect(looping).rejects.toThrow('hung while it rendered /loops')
  expect(await Promise.all(behind)).toEqual(['/a', '/b', '/c'])
  // Once with the others, and once alone.
  expect(seen.ended).toEqual(['hung', 'hung'])
  await expect(render('/loops?q=1')).rejects.toBeInstanceOf(PageRefused)
  expect(seen.refused).toEqual(['broken'])
  expect(await render('/a')).toBe('/a')
  expect(seen.ended).toHaveLength(2)
})

test('a thread that only waits is ended after four times the limit', async ({ startRenderer }) => {
  const { render, seen } = startRenderer({ limits: { silentMs: 1_000 } })
  expect(await render('/blocks?ms=1500')).toBe('/blocks?ms=1500')
  expect(seen.ended).toEqual([])
  await expect(render('/blocks')).rejects.toThrow('hung while it rendered /blocks')
})

test('a page that loops while it is the only one is given up at once', async ({ startRenderer }) => {
  const { render, seen } = startRenderer({ limits: { silentMs: 200 } })
  await expect(render('/loops')).rejects.toThrow('hung while it rendered /loops')
  expect(seen.ended).toEqual(['hung'])
})

test('a page that was refused because it ended a thread is tried again later', async ({ startRenderer }) => {
  const { render, seen } = startRenderer({ limits: { silentMs: 200, brokenMs: 200 } })
  await expect(render('/loops')).rejects.toThrow('hung')
  await sleep(250)
  await expect(render('/loops')).rejects.toThrow('hung')
  expect(seen).toMatchObject({ ended: ['hung', 'hung'], refused: [] })
})

test('a thread that dies is replaced: its page is rendered once more, and is given up if it ends the new thread too', async ({
  startRenderer,
}) => {
  let asked = 0
  const { render, seen } = startRenderer({
    answer: async () => {
      asked += 1
      return asked === 1 ? 500 : 200
    },
  })
  expect(await render('/exits-if-told')).toBe('/exits-if-told')
  expect(seen.ended).toEqual(['died'])
  const [gone, other] = await Promise.allSettled([render('/exits'), render('/other', 'another')])
  expect(gone).toMatchObject({ reason: { message: 'the page thread died while it rendered /exits' } })
  expect(other).toMatchObject({ value: '/other' })
  expect(seen.ended).toEqual(['died', 'died', 'died'])
})

test('a page that may have ended a thread is rendered alone, so that it cannot take other pages with it', async ({
  startRenderer,
}) => {
  let release = (_: number) => {}
  const released = new Promise<number>(resolve => {
    release = resolve
  })
  const { render, seen } = startRenderer({ answer: () => released })
  const beside = Array.from({ length: 4 }, (_, at) => render(`/asks?q=${at}`, 'another'))
  const gone = render('/exits')
  const waiting = [render('/a', 'another'), render('/b', 'another')]
  await expect.poll(() => seen.ended, STARTED).toEqual(['died'])
  release(200)
  await expect(gone).rejects.toThrow('died while it rendered /exits')
  expect(await Promise.all([...beside, ...waiting])).toHaveLength(6)
  expect(seen.ended).toEqual(['died', 'died'])
})

test.concurrent('pages wait while there is no thread, and their timers do not end the next one', async ({
  startRenderer,
  expect,
}) => {
  const { render, seen } = startRenderer({ limits: { restartMs: 200, silentMs: SILENT_MS } })
  expect(await render('/exits-after')).toBe('/exits-after')
  await expect.poll(() => seen.ended, STARTED).toEqual(['died'])
  const held = Array.from({ length: 8 }, (_, at) => render(`/held?q=${at}`))
  expect(await Promise.all(held)).toHaveLength(8)
  // Longer than a thread may be silent.
  await sleep(SILENT_MS + 100)
  expect(await render('/after')).toBe('/after')
  expect(seen).toMatchObject({ ended: ['died'], refused: [], failed: [] })
})

test.concurrent('the thread learns the version of the data with every page', async ({ startRenderer }) => {
  let version = 7
  const { render } = startRenderer({ version: { current: () => version, lastEventId: () => '0' } })
  expect(await render('/version')).toBe('7')
  version = 8
  expect(await render('/version')).toBe('8')
})

test.concurrent('a slow API answer ends neither the page nor the thread', async ({ startRenderer }) => {
  const { render, seen } = startRenderer({
    limits: { silentMs: SILENT_MS },
    answer: () => sleep(SILENT_MS + 500, 200),
  })
  expect(await render('/asks')).toBe('/asks')
  expect(seen).toMatchObject({ ended: [], failed: [] })
})

test.concurrent('a page that never finishes is given up, but the thread goes on rendering others', async ({
  startRenderer,
}) => {
  const { render, seen } = startRenderer({ limits: { pageMs: 4_000 } })
  const never = render('/never')
  expect(await render('/other')).toBe('/other')
  await expect(never).rejects.toThrow('a page took more than 4000 ms')
  expect(await render('/again')).toBe('/again')
  expect(seen.ended).toEqual([])
})

test.concurrent("a page's time limit counts from the start of rendering", async ({ startRenderer }) => {
  const { render, seen } = startRenderer({ limits: { pageMs: 4_000 }, answer: () => sleep(1_050, 200) })
  // Four at a time, so that the last ones start after the limit.
  const pages = Array.from({ length: 16 }, (_, at) => render(`/asks?q=${at}`))
  expect(await Promise.all(pages)).toHaveLength(16)
  expect(seen).toMatchObject({ ended: [], failed: [], refused: [] })
})

test('each client has a share of the slots, and its slow pages do not keep others waiting', async ({
  startRenderer,
}) => {
  let release = (_: number) => {}
  const released = new Promise<number>(resolve => {
    release = resolve
  })
  const { render, seen } = startRenderer({ answer: () => released })
  const slow = Array.from({ length: 16 }, (_, at) => render(`/asks?q=${at}`))
  await expect(render('/asks?q=16')).rejects.toMatchObject({ reason: 'client' })
  expect(await render('/other', 'another')).toBe('/other')
  release(200)
  expect(await Promise.all(slow)).toHaveLength(16)
  expect(await render('/asks?q=16')).toBe('/asks?q=16')
  expect(seen.refused).toEqual(['client'])
})

test('all clients together have a limited number of slots', async ({ startRenderer }) => {
  const { render, seen } = startRenderer({ answer: () => new Promise(() => {}) })
  const pages = Array.from({ length: 64 }, (_, at) => render(`/asks?q=${at}`, `client ${at % 8}`))
  for (const page of pages) page.catch(() => {})
  await expect(render('/other', 'another')).rejects.toMatchObject({ reason: 'total' })
  expect(seen.refused).toEqual(['total'])
})

test('a thread that cannot start is tried again, pages are refused in time, and the description says so', async ({
  startRenderer,
}) => {
  const { render, seen, describe } = startRenderer({
    program: 'process.exit(1)',
    limits: { waitMs: 300, missingMs: 200 },
  })
  expect(describe()).toBe('starting, 0 restarts')
  await expect(render('/')).rejects.toMatchObject({ reason: 'late' })
  await expect.poll(() => seen.ended.length, STARTED).toBeGreaterThan(1)
  expect(describe).toThrow('the page thread does not start')
})

test('closing gives up the pages that wait', async ({ startRenderer }) => {
  const { render, close } = startRenderer({ answer: () => new Promise(() => {}) })
  const pages = Array.from({ length: 6 }, (_, at) => render(`/asks?q=${at}`))
  const outcomes = Promise.allSettled(pages)
  await close()
  expect((await outcomes).map(({ status }) => status)).toEqual(pages.map(() => 'rejected'))
  await expect(render('/')).rejects.toBeInstanceOf(PageRefused)
})
