import { LRUCache } from 'lru-cache'
import { answerOf, type DocumentEntry, type EntryLimits, entryAfter, sizeOf } from './document-entry.ts'
import { type DocumentResult, failure } from './document-result.ts'
import { createFlights } from './flights.ts'
import { findOwnPath, type OwnDocuments, readOwnDocument } from './own-documents.ts'
import { type DocumentTarget, type Gateways, parseDocumentUri } from './parse-document-uri.ts'
import { parseJsonObject } from './parse-json-object.ts'

export interface DocumentsOptions extends Gateways {
  /** `createSafeFetch(…).fetch` */
  fetch(url: URL, options: { background: boolean }): Promise<DocumentResult>
  own?: OwnDocuments
  /** One of our own could not be looked up. */
  onFault?(error: unknown): void
  limits?: Partial<DocumentsLimits>
  now?(): number
}

/**
 * A document is not looked at again for `freshMs`. A failure is tried again after `failureMs`, then after twice the
 * last time up to `failureMsMax`. A copy that cannot be had again is answered until it is `staleMsMax` old.
 */
export interface DocumentsLimits extends EntryLimits {
  /** What the memory holds, in bytes, roughly. */
  cacheBytesMax: number
  /** In place of `freshMs` where the address is made from the content. */
  immutableFreshMs: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

export const DOCUMENTS_LIMITS: DocumentsLimits = {
  cacheBytesMax: 67_108_864,
  freshMs: 5 * MINUTE_MS,
  immutableFreshMs: DAY_MS,
  failureMs: 30_000,
  failureMsMax: 60 * MINUTE_MS,
  staleMsMax: 30 * DAY_MS,
}

export interface Documents {
  /**
   * From memory, then from the network; never rejects. What is due to be looked at again is answered as it
   * is and refreshed in the background. With `waitMsMax` a caller gets a `timeout` after that time, while the document
   * is still waited for.
   */
  get(uri: string, options?: { waitMsMax?: number }): Promise<DocumentResult>
  /** Fetches now, whatever is remembered, and resolves with the outcome of that: a failure even where a copy is kept. */
  refresh(uri: string): Promise<DocumentResult>
}

type HttpTarget = Extract<DocumentTarget, { kind: 'http' }>

/** Documents behind URIs that strangers chose, remembered with their failures. */
export function createDocuments(options: DocumentsOptions): Documents {
  const { own, now = Date.now } = options
  const limits = { ...DOCUMENTS_LIMITS, ...options.limits }
  const memory = new LRUCache<string, DocumentEntry>({
    maxSize: limits.cacheBytesMax,
    sizeCalculation: sizeOf,
  })
  const fetches = createFlights<DocumentResult>()

  function limitsOf({ immutable }: HttpTarget): EntryLimits {
    return immutable ? { ...limits, freshMs: limits.immutableFreshMs } : limits
  }

  function answerKnown(uri: string, entry: DocumentEntry): DocumentResult {
    if (entry.dueAtMs <= now()) {
      const target = parseDocumentUri(uri, options)
      if (target.kind === 'http') void fetchOnce(uri, target, { background: true, known: entry })
    }
    return answerOf(entry)
  }

  function fetchOnce(
    uri: string,
    target: HttpTarget,
    { background, known }: { background: boolean; known?: DocumentEntry | undefined },
  ): Promise<DocumentResult> {
    return fetches.share(uri, async () => {
      const fetched = await options.fetch(target.url, { background })
      const result = fetched.ok ? { ...fetched, fetchedAtMs: now() } : fetched
      if (!saysSomething(result)) return result
      // Memory may have let go of what was known meanwhile.
      const previous = memory.peek(uri) ?? known
      memory.set(uri, entryAfter(previous, result, { nowMs: now(), limits: limitsOf(target) }))
      return result
    })
  }

  /** What is answered without memory or network, else where to fetch it. */
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
    async get(uri, { waitMsMax } = {}) {
      const known = memory.get(uri)
      if (known) return answerKnown(uri, known)
      const target = locate(uri)
      if (!('kind' in target)) return target
      const flight = fetchOnce(uri, target, { background: false }).then(copyOf)
      return waitMsMax === undefined ? flight : answerInTime(flight, waitMsMax)
    },
    async refresh(uri) {
      const target = locate(uri)
      if (!('kind' in target)) return target
      return copyOf(await fetchOnce(uri, target, { background: false, known: memory.peek(uri) }))
    },
  }
}

/** Whether an outcome tells something about the document, and not only about us. */
const saysSomething = (result: DocumentResult) =>
  result.ok || (result.reason !== 'busy' && result.reason !== 'stopped')

/** Those who share a flight do not share a value: each may do with it what it likes. */
const copyOf = (result: DocumentResult): DocumentResult =>
  result.ok ? { ...result, value: JSON.parse(result.text) } : result

async function answerInTime(flight: Promise<DocumentResult>, waitMsMax: number): Promise<DocumentResult> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<DocumentResult>(resolve => {
    timer = setTimeout(() => resolve(failure('timeout', 'waiting')), waitMsMax)
  })
  return Promise.race([flight, late]).finally(() => clearTimeout(timer))
}
