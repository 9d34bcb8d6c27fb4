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
import { createFetchTurns, createSilent, siteOf } from './fetch-turns.ts'
import { createAllowedHosts, createResolveHost, type ResolveHost, resolveAddresses } from './resolve-host.ts'

interface FetchLimits {
  /** Covers everything: look-ups, connections, redirects and the body. */
  timeoutMs: number
  /** Both on the wire and decompressed. */
  bytesMax: number
  headerBytesMax: number
  redirectsMax: number
  /** Concurrent fetches of each network: for callers, in the background, and of each of these per site and per gateway. */
  slots: number
  slotsBackground: number
  slotsPerSite: number
  slotsPerGateway: number
  /** How many fetches may wait for a slot. */
  waitingMax: number
  /** For how long. A background fetch has no limit. */
  waitMsMax: number
}

/** Concurrent fetches of one node. */
export const FETCH_SLOTS = { slots: 24, slotsBackground: 12, slotsPerSite: 4, slotsPerGateway: 8 }

export const FETCH_LIMITS: FetchLimits = {
  timeoutMs: 5_000,
  bytesMax: DOCUMENT_BYTES_MAX,
  headerBytesMax: 16_384,
  redirectsMax: 4,
  ...FETCH_SLOTS,
  waitingMax: 500,
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
  onFetched?(outcome: 'ok' | FailureReason, seconds: number): void
}

/** Who a document is fetched for. */
export interface FetchFor {
  /** Nobody waits for it, so it takes no slots of those that do. */
  background?: boolean
  /** Networks share no slots. */
  network?: string
  /** Who put the URI on the chain. */
  owner?: string
}

interface SafeFetch {
  /** Never rejects. The URL must come from `parseDocumentUri`. */
  fetch(url: URL, options?: FetchFor): Promise<DocumentResult>
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
  const gatewayHosts = new Set(options.gateways?.map(gateway => new URL(gateway).host))
  const silent = createSilent()
  const turns = new Map<string, ReturnType<typeof createFetchTurns>>()
  const running = new Set<AbortController>()

  function turnsOf({ background = false, network }: FetchFor) {
    const key = `${network} ${background}`
    const known = turns.get(key)
    if (known) return known
    const made = createFetchTurns(
      {
        slots: background ? limits.slotsBackground : limits.slots,
        perSite: limits.slotsPerSite,
        perGateway: limits.slotsPerGateway,
        waitingMax: limits.waitingMax,
        waitMsMax: background ? undefined : limits.waitMsMax,
        fetchMsMax: limits.timeoutMs,
      },
      silent,
    )
    turns.set(key, made)
    return made
  }

  /** An operator lists each allowed host, so nobody can name any number of them. */
  const turnOf = (url: URL, { owner }: FetchFor) => ({
    site: isAllowed(url) ? url.host : siteOf(hostOf(url)),
    isGateway: gatewayHosts.has(url.host),
    owner,
  })

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
    async fetch(url, options = {}) {
      const start = performance.now()
      const result = await turnsOf(options)
        .run(turnOf(url, options), () => fetchInTime(url))
        .catch(failureOf)
      onFetched?.(result.ok ? 'ok' : result.reason, (performance.now() - start) / 1_000)
      return result
    },
    close() {
      for (const { close } of turns.values()) close()
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
