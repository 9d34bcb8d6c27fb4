import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { parsePictureUrl } from '../lib/links.ts'
import type { Head, PageState } from '../pages/page.ts'
import type { EncodedPage, PageFiles } from './protocol.ts'

/** A page's HTML: what search engines and link previews read, the content, and the data to continue with. */
export function buildPageHtml({
  content,
  state,
  head,
  files,
  pageFiles,
  url,
}: {
  content: string
  state: PageState
  head: Head
  files: PageFiles
  /** URLs of the scripts that only this page needs. */
  pageFiles: readonly string[]
  url: URL
}): string {
  const { publicUrl } = state.settings
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const title = head.title === 'Slipway' ? head.title : `${head.title} · Slipway`
  const canonical = head.path === undefined ? undefined : publicUrl + head.path
  const tags = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', head.description),
    head.isIndexed === false ? meta('name', 'robots', 'noindex') : '',
    canonical === undefined ? '' : `<link rel="canonical" href="${escapeHtml(canonical)}">`,
    meta('property', 'og:site_name', 'Slipway'),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', head.description),
    canonical === undefined ? '' : meta('property', 'og:url', canonical),
    ...previewTags(head, publicUrl + files.preview, state.settings.isEmbedded),
    meta('name', 'color-scheme', 'light dark'),
    `<link rel="icon" type="image/svg+xml" href="${base}${files.icon}">`,
    `<link rel="ai-catalog" href="${escapeHtml(publicUrl)}/.well-known/ai-catalog.json">`,
    head.card === undefined
      ? ''
      : `<link rel="alternate" type="application/a2a-agent-card+json" href="${escapeHtml(publicUrl + head.card)}">`,
    ...files.styles.map(href => `<link rel="stylesheet" href="${base}${href}">`),
    `<script src="${base}${files.themeScript}"></script>`,
    // Scripts come after the styles, which the text waits for: a slow network loads one file at a time. The font
    // comes last, because a fallback of the same width is used until then.
    `<script type="module" src="${base}${files.script}" fetchpriority="low"></script>`,
    ...pageFiles.map(href => `<link rel="modulepreload" href="${base}${href}" fetchpriority="low">`),
    ...files.fonts.map(
      href =>
        `<link rel="preload" href="${base}${href}" as="font" type="font/woff2" crossorigin fetchpriority="low">`,
    ),
  ]
  return `<!doctype html>
<html lang="en" data-path="${escapeHtml(url.pathname)}">
<head>
${tags.filter(tag => tag !== '').join('\n')}
</head>
<body>
<div id="root">${content}</div>
<script type="application/json" id="state">${escapeData(JSON.stringify(state))}</script>
</body>
</html>
`
}

const meta = (key: 'name' | 'property', name: string, content: string) =>
  `<meta ${key}="${name}" content="${escapeHtml(content)}">`

/** The page's own picture, which is usually a small square, or else that of the site, which is wide. */
function previewTags({ title, image }: Head, siteImage: string, isEmbedded: boolean): string[] {
  const own = image === undefined ? undefined : parsePreviewPicture(image, isEmbedded)
  if (own !== undefined)
    return [
      meta('property', 'og:image', own),
      meta('property', 'og:image:alt', title),
      meta('name', 'twitter:card', 'summary'),
    ]
  const shared = parsePictureUrl(siteImage, isEmbedded)
  if (shared === undefined) return [meta('name', 'twitter:card', 'summary')]
  return [
    meta('property', 'og:image', shared),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', 'Slipway: launches, agents and rewards'),
    meta('name', 'twitter:card', 'summary_large_image'),
  ]
}

/** Previewers don't render SVG. The site's mark, which a launch without its own picture has, is one too. */
function parsePreviewPicture(image: string, isEmbedded: boolean): string | undefined {
  const url = parsePictureUrl(image, isEmbedded)
  return url !== undefined && /\.svgz?$/i.test(new URL(url).pathname) ? undefined : url
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

/** JSON that cannot end its script element, nor begin a comment in it. */
const escapeData = (json: string): string =>
  json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/** Fast enough for a page that is shown for seconds. */
const BROTLI_QUALITY = 4

/** The page in every encoding, in memory that can be handed to another thread. */
export function encodePage(html: string): EncodedPage {
  const bytes = Buffer.from(html)
  return {
    identity: Uint8Array.from(bytes),
    gzip: Uint8Array.from(gzipSync(bytes)),
    br: Uint8Array.from(
      brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    ),
  }
}
