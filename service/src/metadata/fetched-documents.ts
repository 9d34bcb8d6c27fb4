import { LRUCache } from 'lru-cache'
import type { FetchFor } from './fetch/safe-fetch.ts'
import { type DocumentFailure, type DocumentResult, failure, parseJsonObject } from './fetched-document.ts'
import { findOwnPath, type OwnDocuments, readOwnDocument } from './own-documents.ts'
import { type DocumentTarget, type Gateways, parseDocumentUri } from './parse-document-uri.ts'

export interface FetchedDocumentsOptions extends Gateways {
  /** `createSafeFetch(…).fetch` */
  fetch(url: URL, options: FetchFor): Promise<DocumentResult>
  own?: OwnDocuments
  /** One of our own documents could not be read. */
  onFault?(error: unknown): void
  limits?: Partial<FetchedDocumentsLimits>
  now?(): number
}

/**
 * A document is fresh for `freshMs`. A failed fetch is retried after `failureMs`, then after twice the previous
 * delay, up to `failureMsMax`. A copy that cannot be refreshed is served until it is `staleMsMax` old.
 */
interface FetchedDocumentsLimits extends EntryLimits {
  /** Approximate size of the cache. */
  cacheBytesMax: number
  /** Replaces `freshMs` for content-addressed documents. */
  immutableFreshMs: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const DOCUMENTS_LIMITS: FetchedDocumentsLimits = {
  cacheBytesMax: 67_108_864,
  freshMs: 5 * MINUTE_MS,
  immutableFreshMs: DAY_MS,
  failureMs: 30_000,
  failureMsMax: 60 * MINUTE_MS,
  staleMsMax: 30 * DAY_MS,
}

export interface FetchedDocuments {
  /**
   * From the cache, else from the network; never rejects. A document that is due is returned as it is and refreshed
   * in the background, unless the caller is itself in the background. With `waitMsMax` the caller gets a `timeout` after
   * that time, while the fetch goes on; with 0, only what is at hand.
   */
  get(uri: string, options?: FetchFor & { waitMsMax?: number | undefined }): Promise<DocumentResult>
  /** Fetches now, whatever is cached, and returns that outcome: a failure even if the cache keeps a copy. */
  refresh(uri: string, options?: FetchFor): Promise<DocumentResult>
}

type HttpTarget = Extract<DocumentTarget, { kind: 'http' }>

/** Documents behind untrusted URIs, cached together with their failures. */
export function createFetchedDocuments(options: FetchedDocumentsOptions): FetchedDocuments {
  const { own, now = Date.now } = options
  const limits = { ...DOCUMENTS_LIMITS, ...options.limits }
  const cache = new LRUCache<string, DocumentEntry>({
    maxSize: limits.cacheBytesMax,
    sizeCalculation: sizeOf,
  })
  const running = new Map<string, Promise<DocumentResult>>()

  function limitsOf({ immutable }: HttpTarget): EntryLimits {
    return immutable ? { ...limits, freshMs: limits.immutableFreshMs } : limits
  }

  function returnCached(uri: string, entry: DocumentEntry, forWhom: FetchFor): DocumentResult {
    if (entry.dueAtMs <= now()) {
      const target = parseDocumentUri(uri, options)
      if (target.kind === 'http') void fetchOnce(uri, target, { ...forWhom, background: true }, entry)
    }
    return resultOf(entry)
  }

  function fetchOnce(
    uri: string,
    target: HttpTarget,
    forWhom: FetchFor,
    entry = cache.peek(uri),
  ): Promise<DocumentResult> {
    // A fetch takes the turn of an owner. Another owner's may never come.
    const asked = `${forWhom.network} ${forWhom.owner} ${uri}`
    const inBackground = `background ${asked}`
    // Who is in the background shares a caller's fetch. A caller doesn't wait for a turn in the background.
    const known = running.get(asked) ?? (forWhom.background ? running.get(inBackground) : undefined)
    if (known) return known
    const key = forWhom.background ? inBackground : asked
    const fetching = fetchAndKeep(uri, target, forWhom, entry).finally(() => running.delete(key))
    running.set(key, fetching)
    return fetching
  }

  async function fetchAndKeep(
    uri: string,
    target: HttpTarget,
    forWhom: FetchFor,
    known: DocumentEntry | undefined,
  ): Promise<DocumentResult> {
    const fetched = await options.fetch(target.url, forWhom)
    const result = fetched.ok ? { ...fetched, fetchedAtMs: now() } : fetched
    if (!isAboutDocument(result)) return result
    const current = cache.peek(uri)
    // Of failures at the same time, only the first counts.
    if (!result.ok && current && current !== known) return result
    // The cache may have evicted the entry meanwhile.
    const previous = current ?? known
    cache.set(uri, entryAfter(previous, result, { nowMs: now(), limits: limitsOf(target) }))
    return result
  }

  /** The result if it needs neither cache nor network, else where to fetch it. */
  function locate(uri: string): Promise<DocumentResult> | HttpTarget {
    const target = parseDocumentUri(uri, options)
    if (target.kind === 'refused') return Promise.resolve(target.failure)
    if (target.kind === 'data') return Promise.resolve(parseJsonObject(target.bytes))
    const path = findOwnPath(own, target.url)
    if (!own || path === undefined) return target
    return readOwnDocument(own, path).catch(error => {
      options.onFault?.(error)
      return failure('unreachable', 'own')
    })
  }

  return {
    async get(uri, { waitMsMax, ...forWhom } = {}) {
      const known = cache.get(uri)
      const mustFetch = forWhom.background && waitMsMax !== 0 && known && known.dueAtMs <= now()
      if (known && !mustFetch) return returnCached(uri, known, forWhom)
      const target = locate(uri)
      if (!('kind' in target)) return target
      if (waitMsMax === 0) return failure('timeout', 'waiting')
      const fetched = fetchOnce(uri, target, forWhom).then(copyOf)
      return waitMsMax === undefined ? fetched : withTimeout(fetched, waitMsMax)
    },
    async refresh(uri, forWhom = {}) {
      const target = locate(uri)
      if (!('kind' in target)) return target
      return copyOf(await fetchOnce(uri, target, forWhom))
    },
  }
}

/** False for an outcome that says nothing about the document, only about this service. */
const isAboutDocument = (result: DocumentResult) =>
  result.ok || (result.reason !== 'busy' && result.reason !== 'stopped' && result.detail !== 'queue')

/** Callers that share a fetch get separate values, so that none can change another's. */
const copyOf = (result: DocumentResult): DocumentResult =>
  result.ok ? { ...result, value: JSON.parse(result.text) } : result

async function withTimeout(result: Promise<DocumentResult>, waitMsMax: number): Promise<DocumentResult> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<DocumentResult>(resolve => {
    timer = setTimeout(() => resolve(failure('timeout', 'waiting')), waitMsMax)
  })
  return Promise.race([result, late]).finally(() => clearTimeout(timer))
}

/** What the cache holds for a URI. The document is kept as text: its size is known, and no caller can change it. */
interface DocumentEntry {
  /** The last good copy, until it is too old to serve. */
  copy: { text: string; bytes: number; fetchedAtMs: number } | undefined
  /** Set if the last fetch failed, with the number of failures in a row. */
  failure: DocumentFailure | undefined
  failures: number
  /** When the next fetch is due. */
  dueAtMs: number
}

interface EntryLimits {
  freshMs: number
  failureMs: number
  failureMsMax: number
  staleMsMax: number
}

/** The entry after a fetch. A failure keeps the previous copy until that is too old. */
function entryAfter(
  previous: DocumentEntry | undefined,
  result: DocumentResult,
  { nowMs, limits }: { nowMs: number; limits: EntryLimits },
): DocumentEntry {
  if (result.ok) {
    const { text, bytes, fetchedAtMs = nowMs } = result
    return {
      copy: { text, bytes, fetchedAtMs },
      failure: undefined,
      failures: 0,
      dueAtMs: nowMs + limits.freshMs,
    }
  }
  const failures = (previous?.failures ?? 0) + 1
  const copy = previous?.copy
  return {
    copy: copy && nowMs - copy.fetchedAtMs <= limits.staleMsMax ? copy : undefined,
    failure: result,
    failures,
    dueAtMs: nowMs + Math.min(limits.failureMs * 2 ** (failures - 1), limits.failureMsMax),
  }
}

/** Gives each caller its own value. The text was checked when it was fetched. */
function resultOf({ copy, failure: last }: DocumentEntry): DocumentResult {
  if (!copy) return last ?? failure('unreachable')
  const { text, bytes, fetchedAtMs } = copy
  return { ok: true, value: JSON.parse(text), text, bytes, fetchedAtMs }
}

const BYTES_PER_CHARACTER = 2
const OVERHEAD_BYTES = 512

function sizeOf({ copy }: DocumentEntry, uri: string): number {
  return BYTES_PER_CHARACTER * (uri.length + (copy?.text.length ?? 0)) + OVERHEAD_BYTES
}
