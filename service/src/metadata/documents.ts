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
  /**
   * A document is another than the one that was answered last, or has come, or gone for good. Also called when it came
   * after a caller had stopped waiting.
   */
  onChanged?(uri: string): void
  /** A hook failed; the documents are served all the same. */
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
  /** What memory alone would answer. */
  peek(uri: string): DocumentResult | undefined
  /** Fetches now, whatever is remembered, and resolves with the outcome of that: a failure even where a copy is kept. */
  refresh(uri: string): Promise<DocumentResult>
  stats(): { entries: number; bytes: number; flights: number }
  /** Resolves when nothing is being fetched. The fetching itself is stopped by whoever started it. */
  close(): Promise<void>
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
  const reads = createFlights<DocumentResult>()
  const fetches = createFlights<DocumentResult>()
  /** Callers of these URIs stopped waiting. */
  const missed = new Set<string>()

  function limitsOf({ immutable }: HttpTarget): EntryLimits {
    return immutable ? { ...limits, freshMs: limits.immutableFreshMs } : limits
  }

  async function read(uri: string, target: HttpTarget): Promise<DocumentResult> {
    const result = await fetchOnce(uri, target, { background: false })
    if (missed.delete(uri) && result.ok) tell(uri)
    return result
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
      const result = await options.fetch(target.url, { background })
      // Memory may have let go of what was known meanwhile.
      if (saysSomething(result)) remember(uri, target, result, memory.peek(uri) ?? known)
      return result
    })
  }

  function remember(
    uri: string,
    target: HttpTarget,
    result: DocumentResult,
    previous: DocumentEntry | undefined,
  ) {
    const entry = entryAfter(previous, result, { nowMs: now(), limits: limitsOf(target) })
    memory.set(uri, entry)
    if (previous && previous.copy?.text !== entry.copy?.text) tell(uri)
  }

  function tell(uri: string) {
    try {
      options.onChanged?.(uri)
    } catch (error) {
      complain(error)
    }
  }

  function complain(error: unknown) {
    options.onFault?.(error)
  }

  /** What is answered without memory or network, else where to fetch it. */
  function locate(uri: string): Promise<DocumentResult> | HttpTarget {
    const target = parseDocumentUri(uri, options)
    if (target.kind === 'refused') return Promise.resolve(target.failure)
    if (target.kind === 'data') return Promise.resolve(parseJsonObject(target.bytes))
    const path = findOwnPath(own, target.url)
    if (!own || path === undefined) return target
    return readOwnDocument(own, path).catch(error => {
      complain(error)
      return failure('unreachable', 'own')
    })
  }

  return {
    async get(uri, { waitMsMax } = {}) {
      const known = memory.get(uri)
      if (known) return answerKnown(uri, known)
      const target = locate(uri)
      if (!('kind' in target)) return target
      const flight = reads.share(uri, () => read(uri, target)).then(copyOf)
      if (waitMsMax === undefined) return flight
      return answerInTime(flight, waitMsMax, () => missed.add(uri))
    },
    peek(uri) {
      const known = memory.peek(uri)
      if (known) return answerOf(known)
      const target = /^\s*data:/i.test(uri) ? parseDocumentUri(uri, options) : undefined
      return target?.kind === 'data' ? parseJsonObject(target.bytes) : undefined
    },
    async refresh(uri) {
      const target = locate(uri)
      if (!('kind' in target)) return target
      return copyOf(await fetchOnce(uri, target, { background: false, known: memory.peek(uri) }))
    },
    stats: () => ({ entries: memory.size, bytes: memory.calculatedSize, flights: fetches.size() }),
    close: () => fetches.landed(),
  }
}

/** Whether an outcome tells something about the document, and not only about us. */
const saysSomething = (result: DocumentResult) =>
  result.ok || (result.reason !== 'busy' && result.reason !== 'stopped')

/** Those who share a flight do not share a value: each may do with it what it likes. */
const copyOf = (result: DocumentResult): DocumentResult =>
  result.ok ? { ...result, value: JSON.parse(result.text) } : result

async function answerInTime(
  flight: Promise<DocumentResult>,
  waitMsMax: number,
  onMissed: () => void,
): Promise<DocumentResult> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<DocumentResult>(resolve => {
    timer = setTimeout(() => {
      onMissed()
      resolve(failure('timeout', 'waiting'))
    }, waitMsMax)
  })
  return Promise.race([flight, late]).finally(() => clearTimeout(timer))
}
