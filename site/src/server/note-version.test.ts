import { expect, test } from 'vitest'
import { createPageRenderer } from './render-page.tsx'

/** A renderer whose API answers when the test says so. `asked` are its requests for agents, in order. */
function startRenderer() {
  const asked: (() => void)[] = []
  const renderer = createPageRenderer(
    {
      settings: {
        publicUrl: 'https://slipway.example',
        networks: ['chain-mainnet'],
        rpc: {},
        isEmbedded: false,
        isDemo: false,
        hasDemoWallet: false,
      },
      files: { themeScript: '', script: '', icon: '', preview: '', styles: [], fonts: [], pages: {} },
    },
    () =>
      new Promise(resolve => {
        asked.push(() => resolve(Response.json({ data: { agents: [], total: 0, totalPages: 0 } })))
      }),
  )
  return { asked, renderer }
}

test('pages share answers until the version rises', async () => {
  const { asked, renderer } = startRenderer()
  renderer.noteVersion(1)
  const first = renderer.render('/agents')
  await expect.poll(() => asked).toHaveLength(1)
  asked[0]?.()
  expect((await first).status).toBe(200)
  renderer.noteVersion(1)
  expect((await renderer.render('/agents?other=a')).status).toBe(200)
  expect(asked).toHaveLength(1)
  renderer.noteVersion(2)
  const next = renderer.render('/agents')
  await expect.poll(() => asked).toHaveLength(2)
  asked[1]?.()
  expect((await next).status).toBe(200)
})

test('a page does not use answers requested before the version rose, and earlier pages still get theirs', async () => {
  const { asked, renderer } = startRenderer()
  const earlier = renderer.render('/agents')
  await expect.poll(() => asked).toHaveLength(1)
  renderer.noteVersion(1)
  const later = renderer.render('/agents')
  await expect.poll(() => asked).toHaveLength(2)
  asked[1]?.()
  expect((await later).status).toBe(200)
  renderer.noteVersion(2)
  asked[0]?.()
  expect((await earlier).status).toBe(200)
})
