import type { Network } from '@slipway/schema/network'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import { createSnapshot } from '../../endpoint/endpoint.ts'
import { createCachedCall } from '../../lib/kept-reads.ts'
import { GUIDES, guidePath, readGuide } from '../reference/guides.ts'
import type { OpenApi } from '../reference/openapi-types.ts'
import { mountFile } from '../reference/static-file.ts'
import { contextOf } from '../request-context.ts'
import { sendBody, writeSnapshotHead } from '../response/send-snapshot.ts'
import { createAiCatalog } from './ai-catalog.ts'
import { createLlmsText, createSkill } from './skill.ts'

/** The parts of this deployment that programs can discover. */
export interface DiscoveryParts {
  /** Those that this deployment serves. */
  networks: readonly Network[]
  /** The pages of all launches, with the times of their latest activity. */
  listLaunchPages(): Iterable<{ url: string; changedMs: number }>
}

const CACHE_CONTROL = 'public, max-age=60'
const SITEMAP_KEPT_MS = 60_000
/** A sitemap may have no more URLs than this. */
const SITEMAP_URLS_MAX = 50_000
const TEXT = 'text/plain; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'

/** The files by which programs that have never heard of this deployment find and understand it. */
export function mountDiscovery(
  app: FastifyInstance,
  {
    endpoints,
    publicUrl,
    getOpenApi,
    networks,
    listLaunchPages,
  }: DiscoveryParts & { endpoints: readonly Endpoint[]; publicUrl: string; getOpenApi(): OpenApi },
): void {
  const parts = () => ({ endpoints, publicUrl, networks, openApi: getOpenApi() })
  const mount = (path: string, contentType: string, build: () => string) =>
    mountFile(app, path, { contentType, cacheControl: CACHE_CONTROL, read: () => Buffer.from(build()) })

  for (const path of ['/.well-known/ai-catalog.json', '/.well-known/ard.json'])
    mount(path, 'application/json; charset=utf-8', () =>
      JSON.stringify(createAiCatalog(endpoints, publicUrl)),
    )
  mount('/llms.txt', TEXT, () => createLlmsText(parts()))
  mount('/skill.md', MARKDOWN, () => createSkill(parts()))
  mount('/robots.txt', TEXT, () => createRobots(publicUrl))
  for (const guide of GUIDES)
    mount(guidePath(guide), MARKDOWN, () =>
      readGuide(guide, publicUrl, other => `${publicUrl}${guidePath(other)}`),
    )
  const findSitemap = createCachedCall(
    async () => createSnapshot(Buffer.from(createSitemap(publicUrl, listLaunchPages()))),
    SITEMAP_KEPT_MS,
  )
  app.get('/sitemap.xml', async (request, reply) => {
    const snapshot = await findSitemap()
    reply.hijack()
    const body = writeSnapshotHead(request.raw, reply.raw, contextOf(request.raw), {
      snapshot,
      cacheControl: CACHE_CONTROL,
      contentType: 'application/xml; charset=utf-8',
    })
    sendBody(reply.raw, body)
  })
}

const createRobots = (publicUrl: string) => `User-agent: *
Allow: /

Sitemap: ${publicUrl}/sitemap.xml
Agentmap: ${publicUrl}/.well-known/ai-catalog.json
`

/** A sitemap may have only URLs of its own host, and the pages of launches may be elsewhere. */
function createSitemap(publicUrl: string, pages: Iterable<{ url: string; changedMs: number }>): string {
  const lines = [`<url><loc>${escapeXml(`${publicUrl}/`)}</loc></url>`]
  for (const { url, changedMs } of pages) {
    if (lines.length >= SITEMAP_URLS_MAX) break
    if (!url.startsWith(`${publicUrl}/`)) continue
    lines.push(
      `<url><loc>${escapeXml(url)}</loc><lastmod>${new Date(changedMs).toISOString()}</lastmod></url>`,
    )
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('\n')}
</urlset>
`
}

const escapeXml = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
