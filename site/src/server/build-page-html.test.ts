import { expect, test } from 'vitest'
import type { Head } from '../pages/page.ts'
import { buildPageHtml } from './build-page-html.ts'

function build(
  head: Partial<Head>,
  {
    publicUrl = 'https://slipway.example',
    isEmbedded = false,
  }: { publicUrl?: string; isEmbedded?: boolean } = {},
) {
  const settings = { publicUrl, networks: [], rpc: {}, isEmbedded, isDemo: false, hasDemoWallet: false }
  return buildPageHtml({
    content: '',
    state: { settings, nowMs: 0, status: 200, data: [] },
    head: { title: 'Tide "water"', description: '', ...head },
    files: {
      themeScript: '',
      script: '',
      icon: '',
      preview: '/assets/preview-1.png',
      styles: [],
      fonts: [],
      pages: {},
    },
    pageFiles: [],
    url: new URL('http://page.invalid/'),
  })
}

function readPreview(image: string | undefined, settings?: Parameters<typeof build>[1]) {
  const html = build(image === undefined ? {} : { image }, settings)
  return Object.fromEntries(
    [...html.matchAll(/(?:property="og:|name="twitter:)([\w:]+)" content="(.*)"/g)]
      .map(([, name, content]) => [name, content])
      .filter(([name]) => /image|card/.test(name as string)),
  )
}

const SITE = {
  image: 'https://slipway.example/assets/preview-1.png',
  'image:width': '1200',
  'image:height': '630',
  'image:alt': 'Slipway: launches, agents and rewards',
  card: 'summary_large_image',
}

test('a link preview shows the picture of the page, or that of the site if the page has none that is usable', () => {
  expect(readPreview('https://images.example/tide.png')).toEqual({
    image: 'https://images.example/tide.png',
    'image:alt': 'Tide &#34;water&#34;',
    card: 'summary',
  })
  for (const image of [undefined, '', 'no URL', 'http://images.example/tide.png', 'data:image/png,x'])
    expect(readPreview(image)).toEqual(SITE)
})

test('a link preview shows no SVG, which previewers do not render', () => {
  for (const image of [
    'https://slipway.example/assets/icon-1.svg',
    'https://images.example/A.SVG?size=2#top',
  ])
    expect(readPreview(image)).toEqual(SITE)
})

test('a link preview loads nothing over plain HTTP, except from loopback while the chains are embedded', () => {
  expect(readPreview(undefined, { publicUrl: 'http://slipway.example' })).toEqual({ card: 'summary' })
  const publicUrl = 'http://localhost:8080'
  expect(readPreview(undefined, { publicUrl })).toEqual({ card: 'summary' })
  const image = `${publicUrl}/assets/preview-1.png`
  expect(readPreview(undefined, { publicUrl, isEmbedded: true })).toEqual({ ...SITE, image })
  const own = 'http://127.0.0.1:8909/a.png'
  expect(readPreview(own, { publicUrl, isEmbedded: true })).toMatchObject({ image: own, card: 'summary' })
  expect(readPreview(own)).toEqual(SITE)
})

test('every page leads programs to the catalog, and that of an agent to its card', () => {
  const catalog = '<link rel="ai-catalog" href="https://slipway.example/.well-known/ai-catalog.json">'
  expect(build({})).toContain(catalog)
  expect(build({})).not.toContain('a2a-agent-card')
  expect(build({ card: '/v1/agents/abc/agent-card.json' })).toContain(
    '<link rel="alternate" type="application/a2a-agent-card+json" href="https://slipway.example/v1/agents/abc/agent-card.json">',
  )
})
