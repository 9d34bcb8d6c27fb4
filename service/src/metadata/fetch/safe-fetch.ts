import {
  type DocumentFailure,
  DocumentRefused,
  type DocumentResult,
  type FailureReason,
  failure,
  parseJsonObject,
} from '../fetched-document.ts'
import { findOwnPath, type OwnDocuments, readOwnDocument } from '../own-documents.ts'
import { DOCUMENT_BYTES_MAX, hostOf, parseRedirect } from '../parse-document-uri.ts'
import { fetchHop } from './fetch-hop.ts'
import { createFetchSlots, siteOf } from './fetch-slots.ts'
import { createAllowedHosts, createResolveHost, type ResolveHost, resolveAddresses } from './resolve-host.ts'

interface FetchLimits {
  /** Covers everything: look-ups, connections, redirects and the body. */
  timeoutMs: number
  /** Both on the wire and decompressed. */
  bytesMax: number
  headerBytesMax: number
  redirectsMax: number
  /** Concurrent fetches: in total, per site, per gateway, and in the background. */
  slots: number
  slotsPerSite: number
  slotsPerGateway: number
  slotsBackground: number
  /** How many fetches may wait for a slot, in total and per site, and for how long. */
  waitingMax: number
  waitingPerSiteMax: number
  waitMsMax: number
}

/** Concurrent fetches of one node. */
export const FETCH_SLOTS = { slots: 32, slotsPerSite: 4, slotsPerGateway: 12, slotsBackground: 16 }

export const FETCH_LIMITS: FetchLimits = {
  timeoutMs: 5_000,
  bytesMax: DOCUMENT_BYTES_MAX,
  headerBytesMax: 16_384,
  redirectsMax: 4,
  ...FETCH_SLOTS,
  waitingMax: 1_000,
  waitingPerSiteMax: 100,
  waitMsMax: 5_000,
}

export interface SafeFetchOptions {
  /** Each a `host` or `host:port` that may have a private address. */
  allowHosts: readonly string[]
  /** Base URLs of gateways. They serve the documents of many people, so they get more slots than a site. */
  gateways?: readonly string[]
  own?: OwnDocuments
  limits?: Partial<FetchLimits>
  resolveHost?: ResolveHost
  /** Additional certificate authorities, as PEM. */
  ca?: string
  onFetched?(outcome: 'ok' | FailureReason, seconds: number, options: { background: boolean }): void
}

interface SafeFetch {
  /** Never rejects. The URL must come from `parseDocumentUri`. */
  fetch(url: URL, options?: { background?: boolean }): Promise<DocumentResult>
  /** Ends every running and waiting fetch at once. */
  close(): void
}

/**
 * Fetches JSON objects from untrusted URLs. Never connects to a private address, unless the operator allows the host.
 */
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
      const addresses = await resolveAddresses(resolve, url, { allowed: isAllowed(url), signal })
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

  /** The timeout starts here. Waiting for a slot has its own. */
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
    close() {
      slots.close()
      for (const controller of running) controller.abort('stopped')
    },
  }
}

/** Needed because a look-up may not react to the signal. */
function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
  })
}

/** Keeps the error's code, which is Node's, and drops its message, which may quote the untrusted host. */
function failureOf(error: unknown): DocumentFailure {
  if (error instanceof DocumentRefused) return error.failure
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return failure('too-large', 'headers')
  return failure('unreachable', typeof code === 'string' && /^[A-Z]\w{1,60}$/.test(code) ? code : undefined)
}
