import { ERROR_HEADER, type ErrorCode, ServiceError } from '@slipway/schema/errors'
import {
  type ErrorPageStatus,
  PAGE_PARAMETERS,
  type PagePath,
  type SiteSettings,
} from '@slipway/site/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limitKey } from '../ingress/read-request.ts'
import { contextOf } from '../request-context.ts'
import type { RouteTable } from '../route-table.ts'
import type { EarlierFiles } from './earlier-files.ts'
import { createLocalApi } from './local-api.ts'
import { type DemoKeys, mountDemoKeys } from './mount-demo-keys.ts'
import { type OpenSite, openSite } from './open-site.ts'
import type { PageVersion } from './page-version.ts'
import type { RenderObserver } from './renderer.ts'
import { type Bytes, sendBytes, toBytes } from './send-bytes.ts'
import type { SharedRendering } from './share-renderer.ts'
import { FILES_PATH, type SiteBuild } from './site-build.ts'
import { buildSitePolicy } from './site-policy.ts'
import { sendUnavailablePage } from './unavailable-page.ts'
import { type PageRequest, wantsPage } from './wants-page.ts'

export interface SiteParts {
  /** Undefined if it could not be built: only the API is served then. */
  build: Promise<SiteBuild | undefined>
  settings: SiteSettings
  /** `http://host:port` of the demo's pictures while the chains are embedded. */
  pictureOrigin: string | undefined
  /** Absent unless the keys are worthless: both chains are embedded and the service listens on loopback. */
  demoKeys?: DemoKeys | undefined
  version: PageVersion
  observer: SiteObserver
  earlierFiles: EarlierFiles
  /** Absent: this process renders its pages itself. */
  sharedRendering?: SharedRendering | undefined
}

export interface SiteObserver extends RenderObserver {
  /**
   * `describe` returns one line, or throws if no page can be rendered. It is undefined if the site could not be
   * built.
   */
  onBuilt(describe: (() => string) | undefined): void
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

interface ErrorPage {
  headers: readonly string[]
  body: Buffer
}

/** How long a person's request waits for the site to be built. */
const OPEN_MS_MAX = 1_000

/** Within this time, a thread that has ended is replaced, and a page that could not load its data is rendered again. */
const RETRY_AFTER_SECONDS = '2'

/** The error codes of pages that show an error. */
const PAGE_ERRORS: Partial<Record<number, ErrorCode>> = {
  404: 'NOT_FOUND',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL',
  503: 'SERVICE_UNAVAILABLE',
}

/**
 * Serves the pages and what they load. Until the site is built, people get a page that retries, programs wait, and
 * everything else is answered.
 */
export function mountSite(
  app: FastifyInstance,
  { build, settings, pictureOrigin, demoKeys, version, observer, earlierFiles, sharedRendering }: SiteParts,
  routes: Pick<RouteTable, 'find' | 'isForPrograms'>,
  /** The answer of `/readyz`. */
  readReadiness: () => Promise<{ status: number; text: string }>,
): Site {
  const headers = [
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Content-Security-Policy', buildSitePolicy(settings, pictureOrigin)],
    ...['Referrer-Policy', 'strict-origin-when-cross-origin'],
    // Wallets may open windows of their own.
    ...['Cross-Origin-Opener-Policy', 'same-origin-allow-popups'],
    ...['Cache-Control', 'no-cache'],
    ...['Content-Type', 'text/html; charset=utf-8'],
  ]
  let site: OpenSite | undefined
  let isClosed = false
  const opened = build
    .then(async built => {
      // The files must be stored before a page names them: the browser may ask a node of another version for them.
      if (built) await earlierFiles.keep(built.files)
      if (isClosed) return
      const api = createLocalApi(routes, readReadiness)
      site = built && openSite(built, { settings, api, version, observer, sharedRendering })
      observer.onBuilt(site?.describe)
    })
    .catch(observer.onFailed)
  app.addHook('onClose', async () => {
    isClosed = true
    await site?.close()
  })

  if (demoKeys) mountDemoKeys(app, demoKeys)

  async function whenOpen(): Promise<OpenSite> {
    await opened
    if (!site) throw new ServiceError('NOT_FOUND')
    return site
  }

  /** A build takes seconds, once per version. People see a page meanwhile. */
  async function isOpenSoon(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const later = new Promise<false>(resolve => {
      timer = setTimeout(() => resolve(false), OPEN_MS_MAX)
    })
    const isOpen = await Promise.race([opened.then(() => true), later])
    clearTimeout(timer)
    return isOpen
  }

  for (const path of Object.keys(PAGE_PARAMETERS) as PagePath[])
    app.get(path, { config: { isPage: true } }, async (request, reply) => {
      if (wantsPage(request.raw) && !(await isOpenSoon())) return sendUnavailablePage(reply)
      const { findPage } = await whenOpen()
      const client = limitKey(contextOf(request.raw).client)
      // The observer is notified of every failure and refusal.
      const page = await findPage(path, request.url, client).catch(() => undefined)
      if (!page || page.status === 503) reply.header('Retry-After', RETRY_AFTER_SECONDS)
      if (page) return sendHtml(request, reply, page.status, page.bytes)
      return sendError(request, reply, 503)
    })

  app.get(`${FILES_PATH}/:name`, async (request, reply) => {
    const { name } = request.params as { name: string }
    const file = (await whenOpen()).findFile(name) ?? (await findEarlierFile(name))
    if (!file) throw new ServiceError('NOT_FOUND')
    // Caches keep it for everyone, so it says nothing about this client.
    for (const header of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
      reply.removeHeader(header)
    reply.header('Cache-Control', 'public, max-age=31536000, immutable').type(file.type)
    return sendBytes(request, reply, file.bytes)
  })

  async function findEarlierFile(name: string) {
    const file = FILE_NAME.test(name) ? await earlierFiles.find(name) : undefined
    return file && { type: file.type, bytes: toBytes(file) }
  }

  function sendHtml(request: FastifyRequest, reply: FastifyReply, status: number, bytes: Bytes) {
    reply.code(status)
    const code = PAGE_ERRORS[status]
    if (code) reply.header(ERROR_HEADER, code)
    for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1])
    return sendBytes(request, reply, bytes)
  }

  function sendError(request: FastifyRequest, reply: FastifyReply, status: ErrorPageStatus) {
    const bytes = site?.findErrorPage(status)
    if (!bytes && wantsPage(request.raw)) return sendUnavailablePage(reply)
    if (!bytes) throw new ServiceError('SERVICE_UNAVAILABLE')
    return sendHtml(request, reply, status, bytes)
  }

  const findBytes = (request: PageRequest, status: ErrorPageStatus) =>
    wantsPage(request) && !routes.isForPrograms(request.url ?? '') ? site?.findErrorPage(status) : undefined

  return {
    findErrorPage(request, status) {
      const bytes = findBytes(request, status)
      return bytes && { headers, body: bytes.identity.parts[0] as Buffer }
    },
    sendErrorPage(request, reply, status) {
      const bytes = findBytes(request.raw, status)
      return bytes && sendHtml(request, reply, status, bytes)
    },
  }
}

/** The build gives every file a name with a hash. */
const FILE_NAME = /^[\w.-]{1,100}-[\w-]{8}\.\w{2,5}$/
