import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { findInstalled, lookForInstalled } from '../../lib/find-installed.ts'
import { sendError } from '../response/send-error.ts'
import type { OpenApi } from './openapi-types.ts'
import { createFileSender, mountFile, type SendFile } from './static-file.ts'
import { anchorOf, createViewerOpenApi, DOCS_TITLE, INTRODUCTION, listSections } from './viewer-openapi.ts'

/** Everything comes from this service, so the page works offline. The viewer adds style elements while it runs. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The name of an asset contains its hash. */
const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable'
const PAGE_CACHE_CONTROL = 'public, max-age=60'

/** The reference as a page for people: a viewer of the OpenAPI description, with the guides beside the endpoints. */
export function mountDocsPage(
  app: FastifyInstance,
  { getOpenApi, publicUrl, hasSite }: { getOpenApi(): OpenApi; publicUrl: string; hasSite: boolean },
): void {
  const getAssets = once(listAssets)
  mountFile(app, '/docs', {
    isPage: true,
    contentType: 'text/html; charset=utf-8',
    cacheControl: PAGE_CACHE_CONTROL,
    headers: ['X-Content-Type-Options', 'nosniff', 'Content-Security-Policy', DOCS_POLICY],
    read: () => Buffer.from(renderPage(getAssets(), getOpenApi(), hasSite)),
  })
  mountFile(app, '/docs/reference.json', {
    contentType: 'application/json; charset=utf-8',
    cacheControl: PAGE_CACHE_CONTROL,
    read: () => Buffer.from(JSON.stringify(createViewerOpenApi(getOpenApi(), publicUrl))),
  })
  const getSenders = once(
    () => new Map(Object.values(getAssets()).map(asset => [asset.name, createAssetSender(asset)])),
  )
  app.get<{ Params: { name: string } }>('/docs/:name', async (request, reply) => {
    const send = getSenders().get(request.params.name)
    return send ? send(request, reply) : sendError(request, reply, 'NOT_FOUND')
  })
}

interface Asset {
  name: string
  contentType: string
  read(): Buffer
}

const createAssetSender = ({ contentType, read }: Asset): SendFile =>
  createFileSender({
    contentType,
    cacheControl: ASSET_CACHE_CONTROL,
    isCompressible: !contentType.startsWith('font/'),
    read,
  })

function once<Value>(create: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= create()
    return value
  }
}

type Assets = Record<'viewer' | 'script' | 'style' | 'font', Asset>

/**
 * Shows the introduction and the sidebar's titles until the viewer has loaded. The URLs are relative, because a proxy
 * may serve the page below a path of its own.
 */
const renderPage = (
  { viewer, script, style, font }: Assets,
  openApi: OpenApi,
  hasSite: boolean,
) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Reference and guides of the Slipway API">
<title>Slipway API reference</title>
<link rel="icon" href="data:,">
<link rel="preload" href="docs/${font.name}" as="font" type="font/woff2" crossorigin>
<link rel="preload" href="docs/${viewer.name}" as="script">
<link rel="preload" href="docs/reference.json" as="fetch" crossorigin>
<link rel="stylesheet" href="docs/${style.name}">
</head>
<body>
<div id="reference"></div>
<div id="outline">
<nav aria-label="Contents">
${hasSite ? HOME_LINKS : ''}${listSections(openApi).map(renderSection).join('\n')}
</nav>
<main>
<h1>${DOCS_TITLE}</h1>
${INTRODUCTION}
<p class="status" role="status">Loading the endpoints and guides…</p>
<noscript><p>The endpoints and guides need JavaScript. The <a href="openapi.json">OpenAPI document</a> describes the same API.</p></noscript>
</main>
</div>
<script src="docs/${script.name}" data-viewer="docs/${viewer.name}" data-document="docs/reference.json"></script>
</body>
</html>
`

/** The way back to the site. The script puts copies of them above the viewer's sidebar. */
const HOME_LINKS = `<a class="home" href="./">Slipway</a>
<p class="places">
<a href="./">Launches</a>
<a href="agents">Agents</a>
<a href="rewards">Rewards</a>
</p>
`

function renderSection({ title, names }: { title: string; names: string[] }): string {
  const links = names.map(name => `<li><a href="${anchorOf(name)}">${name}</a></li>`)
  return `<h2>${title}</h2>\n<ul>\n${links.join('\n')}\n</ul>`
}

function listAssets(): Assets {
  const require = createRequire(import.meta.url)
  const viewer =
    lookForInstalled('reference/viewer.js') ??
    join(dirname(require.resolve('@scalar/fastify-api-reference')), 'js/standalone.js')
  const plex =
    lookForInstalled('reference/plex.woff2') ??
    require.resolve('@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal.woff2')
  const font = createAsset('plex.woff2', readFileSync(plex))
  const style = readFileSync(findInstalled('reference/page.css'), 'utf8').replace('plex.woff2', font.name)
  return {
    font,
    style: createAsset('page.css', Buffer.from(style)),
    script: createAsset('page.js', readFileSync(findInstalled('reference/page.js'))),
    viewer: createAsset('viewer.js', readFileSync(viewer)),
  }
}

const CONTENT_TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
}

function createAsset(file: string, bytes: Buffer): Asset {
  const [name, extension] = file.split('.') as [string, keyof typeof CONTENT_TYPES]
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return {
    name: `${name}-${hash}.${extension}`,
    contentType: CONTENT_TYPES[extension],
    read: () => bytes,
  }
}
