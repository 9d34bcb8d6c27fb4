import { createAllowedHosts } from './allow-hosts.ts'
import {
  type DocumentFailure,
  DocumentRefused,
  type DocumentResult,
  type FailureReason,
  failure,
} from './document-result.ts'
import { fetchHop } from './fetch-hop.ts'
import { createFetchSlots } from './fetch-slots.ts'
import { hostOf, parseRedirect } from './http-url.ts'
import { findOwnPath, type OwnDocuments, readOwnDocument } from './own-documents.ts'
import { DOCUMENT_BYTES_MAX } from './parse-document-uri.ts'
import { parseJsonObject } from './parse-json-object.ts'
import { createResolveHost, findAddresses, type ResolveHost } from './resolve-host.ts'
import { siteOf } from './site-of.ts'

export interface FetchLimits {
  /** For all of it: names, connections, redirects and the body. */
  timeoutMs: number
  /** On the wire as well as decompressed. */
  bytesMax: number
  headerBytesMax: number
  redirectsMax: number
  /** Fetches at a time: in all, for one site, for a gateway, in the background. */
  slots: number
  slotsPerSite: number
  slotsPerGateway: number
  slotsBackground: number
  /** Who may wait for a place, in all and for one site, and how long. */
  waitingMax: number
  waitingPerSiteMax: number
  waitMsMax: number
}

export const FETCH_LIMITS: FetchLimits = {
  timeoutMs: 5_000,
  bytesMax: DOCUMENT_BYTES_MAX,
  headerBytesMax: 16_384,
  redirectsMax: 4,
  slots: 32,
  slotsPerSite: 4,
  slotsPerGateway: 12,
  slotsBackground: 16,
  waitingMax: 1_000,
  waitingPerSiteMax: 100,
  waitMsMax: 5_000,
}

export interface SafeFetchOptions {
  /** `host` or `host:port` that may be private. */
  allowHosts: readonly string[]
  /** Base URLs of gateways: many documents of many people come from there, so they get more places. */
  gateways?: readonly string[]
  own?: OwnDocuments
  limits?: Partial<FetchLimits>
  resolveHost?: ResolveHost
  /** Further certificate authorities, as PEM. */
  ca?: string
  onFetched?(outcome: 'ok' | FailureReason, seconds: number, options: { background: boolean }): void
}

export interface SafeFetch {
  /** Never rejects. The URL has passed `parseDocumentUri`. */
  fetch(url: URL, options?: { background?: boolean }): Promise<DocumentResult>
  stats(): { running: number; waiting: number }
  /** Ends what runs and what waits, at once. */
  close(): void
}

/** Fetches JSON objects from URLs that strangers chose, without being made to look where they cannot. */
export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const limits = { ...FETCH_LIMITS, ...options.limits }
  const { own, onFetched, resolveHost: resolve = createResolveHost() } = options
  const isAllowed = createAllowedHosts(options.allowHosts)
  const gatewayHosts = new Set(options.gateways?.map(gateway => hostOf(new URL(gateway))))
  const slots = createFetchSlots({
    total: limits.slots,
    perSite: limits.slotsPerSite,
    backgroundMax: limits.slotsBackground,
    waitingMax: limits.waitingMax,
    waitingPerSiteMax: limits.waitingPerSiteMax,
    waitMsMax: limits.waitMsMax,
  })
  const running = new Set<AbortController>()

  async function follow(start: URL, signal: AbortSignal): Promise<DocumentResult> {
    let url = start
    for (let redirects = 0; redirects <= limits.redirectsMax; redirects += 1) {
      const path = findOwnPath(own, url)
      if (own && path !== undefined) return readOwnDocument(own, path)
      const addresses = await findAddresses(resolve, url, { allowed: isAllowed(url), signal })
      const answer = await fetchHop(url, { ...limits, addresses, signal, ca: options.ca })
      switch (answer.kind) {
        case 'body':
          return parseJsonObject(answer.bytes)
        case 'status':
          return failure('http-status', `${answer.status}`)
        case 'redirect':
          url = parseRedirect(url, answer.location)
      }
    }
    return failure('too-many-redirects')
  }

  /** The deadline counts from here: waiting for a place has its own. */
  async function fetchInTime(url: URL): Promise<DocumentResult> {
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => controller.abort('timeout'), limits.timeoutMs)
    running.add(controller)
    try {
      return await Promise.race([follow(url, signal), rejectWhenAborted(signal)])
    } catch (error) {
      return signal.aborted ? failure(signal.reason) : failureOf(error)
    } finally {
      clearTimeout(timer)
      running.delete(controller)
      controller.abort('stopped')
    }
  }

  return {
    async fetch(url, { background = false } = {}) {
      const start = performance.now()
      const host = hostOf(url)
      const isGateway = gatewayHosts.has(host)
      const result = await slots
        .run(isGateway ? host : siteOf(host), () => fetchInTime(url), {
          background,
          perSite: isGateway ? limits.slotsPerGateway : limits.slotsPerSite,
        })
        .catch(failureOf)
      onFetched?.(result.ok ? 'ok' : result.reason, (performance.now() - start) / 1_000, { background })
      return result
    },
    stats: slots.stats,
    close() {
      slots.close()
      for (const controller of running) controller.abort('stopped')
    },
  }
}

/** Name servers and resolvers of our own need not heed a signal. */
function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
  })
}

/** Codes are Node's words, messages may be a stranger's: only the former go on. */
function failureOf(error: unknown): DocumentFailure {
  if (error instanceof DocumentRefused) return error.failure
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return failure('too-large', 'headers')
  return failure('unreachable', typeof code === 'string' && /^[A-Z]\w{1,60}$/.test(code) ? code : undefined)
}
