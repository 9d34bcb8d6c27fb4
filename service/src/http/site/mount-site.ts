import type { IncomingMessage } from 'node:http'
import type { ErrorPageStatus, SiteSettings } from '@slipway/site/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import { pathOf } from '../../endpoint/parse-url.ts'
import { createLocalApi } from './local-api.ts'
import { createPageCache, toPageUrl } from './page-cache.ts'
import { createRenderer } from './renderer.ts'
import { type Bytes, sendBytes, toBytes } from './send-bytes.ts'
import { FILES_PATH, type SiteBuild } from './site-build.ts'
import { buildSitePolicy } from './site-policy.ts'

export interface SiteParts {
  build: SiteBuild
  settings: SiteSettings
  /** `http://host:port` of the demo's pictures while the chains are embedded. */
  pictureOrigin: string | undefined
  onFailed(error: unknown): void
}

export interface Site {
  /** The page for a status, with its headers; undefined if the client did not ask for a page. */
  findErrorPage(request: PageRequest, status: ErrorPageStatus): ErrorPage | undefined
  /** Sends an error as a page; undefined if the client did not ask for a page. */
  sendErrorPage(
    request: FastifyRequest,
    reply: FastifyReply,
    status: ErrorPageStatus,
  ): FastifyReply | undefined
}

type PageRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

export interface ErrorPage {
  headers: readonly string[]
  body: Buffer
}

/** Every page of the site; the worker knows them too. */
const PAGE_PATHS = [
  '/',
  '/launches/:address',
  '/agents',
  '/agents/:address',
  '/rewards',
  '/rewards/:wallet',
  '/status',
]
/** Serves the pages and what they load. */
export function mountSite(
  app: FastifyInstance,
  { build, settings, pictureOrigin, onFailed }: SiteParts,
  endpoints: readonly Endpoint[],
  /** What `/readyz` answers. */
  readReadiness: () => Promise<{ status: number; text: string }>,
): Site {
  const api = createLocalApi(endpoints, readReadiness)
  const renderer = createRenderer({ build, settings, api, onFailed })
  const headers = [
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Content-Security-Policy', buildSitePolicy(settings, pictureOrigin)],
    ...['Referrer-Policy', 'strict-origin-when-cross-origin'],
    // Wallets may open windows of their own.
    ...['Cross-Origin-Opener-Policy', 'same-origin-allow-popups'],
    ...['Cache-Control', 'no-cache'],
    ...['Content-Type', 'text/html; charset=utf-8'],
  ]
  const pages = createPageCache(renderer.render)
  const errorPages = new Map<ErrorPageStatus, Bytes>()
  const files = new Map(
    [...build.files].map(([name, file]) => [name, { type: file.type, bytes: toBytes(file) }]),
  )
  app.addHook('onReady', () => renderer.ready)
  app.addHook('onClose', renderer.close)

  for (const path of PAGE_PATHS)
    app.get(path, async (request, reply) => {
      try {
        const { status, bytes } = await pages.find(toPageUrl(request.url))
        return sendHtml(request, reply, status, bytes)
      } catch (error) {
        onFailed(error)
        return sendError(request, reply, 503)
      }
    })

  app.get(`${FILES_PATH}/:name`, async (request, reply) => {
    const file = files.get((request.params as { name: string }).name)
    if (!file) return sendError(request, reply, 404)
    // Caches keep it for everyone, so it says nothing about this client.
    for (const header of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
      reply.removeHeader(header)
    reply.header('Cache-Control', 'public, max-age=31536000, immutable').type(file.type)
    return sendBytes(request, reply, file.bytes)
  })

  function sendHtml(request: FastifyRequest, reply: FastifyReply, status: number, bytes: Bytes) {
    reply.code(status)
    for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1])
    return sendBytes(request, reply, bytes)
  }

  function sendError(request: FastifyRequest, reply: FastifyReply, status: ErrorPageStatus) {
    const bytes = findErrorBytes(status)
    if (!bytes) return reply.code(status).type('text/plain').send(`${status}\n`)
    return sendHtml(request, reply, status, bytes)
  }

  function findErrorBytes(status: ErrorPageStatus): Bytes | undefined {
    const page = renderer.errorPage(status)
    const bytes = errorPages.get(status) ?? (page && toBytes(page))
    if (bytes) errorPages.set(status, bytes)
    return bytes
  }

  return {
    findErrorPage(request, status) {
      const bytes = wantsPage(request) ? findErrorBytes(status) : undefined
      return bytes && { headers, body: bytes.identity.parts[0] as Buffer }
    },
    sendErrorPage: (request, reply, status) =>
      wantsPage(request.raw) ? sendError(request, reply, status) : undefined,
  }
}

/** Paths of programs, not of people: their errors stay JSON. */
const NOT_PAGES = /^\/(?:v1|\.well-known|assets|metrics|healthz|readyz|openapi\.)/

const wantsPage = ({ method, url = '', headers }: PageRequest) =>
  (method === 'GET' || method === 'HEAD') &&
  headers.accept?.includes('text/html') === true &&
  !NOT_PAGES.test(pathOf(url))
