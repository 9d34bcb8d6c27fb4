import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { FetchedDocuments } from '../../metadata/fetched-documents.ts'
import { parseDisplayMetadata } from '../../metadata/formats/display-metadata.ts'
import type { Gateways } from '../../metadata/parse-document-uri.ts'
import type { Database } from '../../store/database.ts'
import { saveDisplayMetadata } from '../../store/launches.ts'

/** A token that was registered before its document could be fetched. */
export interface MissingMetadata {
  network: Network
  mint: Address
  uri: string
}

interface MetadataRetry {
  add(token: MissingMetadata): void
  close(): void
}

/** The first attempt joins the fetch that is still running; the later ones give a host time to recover. */
const RETRY_DELAYS_MS = [0, 60_000, 10 * 60_000, 60 * 60_000]
/** Tokens beyond this many are not retried; an operator can refresh them. */
const WAITING_MAX = 1_000

/** Fetches documents that were missing at registration, and stores the image and description they give. */
export function createMetadataRetry({
  database,
  documents,
  gateways,
  onFault,
  delaysMs = RETRY_DELAYS_MS,
}: {
  database: Database
  documents: Pick<FetchedDocuments, 'get' | 'refresh'>
  gateways: Gateways
  onFault(error: unknown): void
  delaysMs?: readonly number[]
}): MetadataRetry {
  const timers = new Set<NodeJS.Timeout>()
  let isClosed = false

  async function attempt(token: MissingMetadata, count: number) {
    // `refresh` fetches again, where `get` would answer with the failure in its cache.
    const { uri, network } = token
    const result = await documents[count === 0 ? 'get' : 'refresh'](uri, { network, background: true })
    if (isClosed) return
    if (result.ok) await saveDisplayMetadata(database, token, parseDisplayMetadata(result.value, gateways))
    else schedule(token, count + 1)
  }

  function schedule(token: MissingMetadata, count: number) {
    const delayMs = delaysMs[count]
    if (delayMs === undefined || timers.size >= WAITING_MAX) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      attempt(token, count).catch(onFault)
    }, delayMs)
    timer.unref()
    timers.add(timer)
  }

  return {
    add: token => schedule(token, 0),
    close() {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
