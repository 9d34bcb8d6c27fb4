import { expect, test, vi } from 'vitest'
import { PAGES } from '../pages/find-page.ts'
import { PAGE_PARAMETERS, type PagePath } from './protocol.ts'
import { createPageRenderer } from './render-page.tsx'

const WALLET = '62F4XXuAav4VHGuaLPeEzorQePLM9vi4BN7G9A86To5L'

/** Enough for every page to render without an error. */
function answer(path: string): unknown {
  if (path === '/v1/launches') return { data: [] }
  if (path === '/v1/agents') return { data: { agents: [], total: 0, totalPages: 0 } }
  if (path.startsWith('/v1/creator-rewards/')) return { data: { wallet: WALLET, buckets: [], totals: [] } }
  if (path.startsWith('/v1/wallets/'))
    return {
      data: {
        ...{ positions: [], launches: [], agents: [], rewards: [], truncated: false, unavailable: [] },
        next: { positions: null, launches: null, agents: null, rewards: null },
      },
    }
  return undefined
}

const renderer = createPageRenderer(
  {
    settings: {
      publicUrl: 'https://slipway.example',
      networks: ['chain-mainnet', 'chain-devnet'],
      rpc: {},
      isEmbedded: false,
      isDemo: false,
      hasDemoWallet: false,
    },
    files: { themeScript: '', script: '', icon: '', preview: '', styles: [], fonts: [], pages: {} },
  },
  async input => {
    const found = answer(new URL(`${input}`).pathname)
    return found ? Response.json(found) : Response.json({ error: { message: '' } }, { status: 404 })
  },
)

test('every page is declared', () => {
  expect(PAGES.map(({ path }) => path)).toEqual(Object.keys(PAGE_PARAMETERS))
})

test.each(Object.keys(PAGE_PARAMETERS) as PagePath[])(
  '%s reads the parameters that it declares, and no others',
  async path => {
    const get = vi.spyOn(URLSearchParams.prototype, 'get')
    await renderer.render(path.replace(/:\w+/, WALLET))
    const read = new Set(get.mock.calls.map(([name]) => name))
    expect([...read].sort()).toEqual([...PAGE_PARAMETERS[path]].sort())
  },
)
