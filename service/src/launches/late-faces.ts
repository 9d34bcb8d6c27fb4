import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { readFace } from '../metadata/documents/face.ts'
import type { Documents } from '../metadata/documents.ts'
import type { Gateways } from '../metadata/parse-document-uri.ts'
import type { Database } from '../store/database.ts'
import { saveFace } from '../store/launches.ts'

export interface LateFace {
  network: Network
  mint: Address
  uri: string
}

export interface LateFaces {
  /** Goes on waiting for the document of a token that was registered without it. */
  add(face: LateFace): void
  close(): void
}

/** At first for what is on its way; then a host that was down is asked again. */
const WAITS_MS = [0, 60_000, 10 * 60_000, 60 * 60_000]
/** Beyond so many, a document that is late stays unread until an operator asks for it. */
const WAITING_MAX = 1_000

/** A registration does not wait for a slow host; its token gets image and description when they come. */
export function createLateFaces({
  database,
  documents,
  gateways,
  onFault,
  waitsMs = WAITS_MS,
}: {
  database: Database
  documents: Pick<Documents, 'get' | 'refresh'>
  gateways: Gateways
  onFault(error: unknown): void
  waitsMs?: readonly number[]
}): LateFaces {
  const timers = new Set<NodeJS.Timeout>()
  let isClosed = false

  async function tryTo(face: LateFace, at: number) {
    // The first joins what is being fetched; those after it are not answered with the failure that is remembered.
    const result = await (at === 0 ? documents.get(face.uri) : documents.refresh(face.uri))
    if (isClosed) return
    if (result.ok) await saveFace(database, face, readFace(result.value, gateways))
    else wait(face, at + 1)
  }

  function wait(face: LateFace, at: number) {
    const waitMs = waitsMs[at]
    if (waitMs === undefined || timers.size >= WAITING_MAX) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      tryTo(face, at).catch(onFault)
    }, waitMs)
    timer.unref()
    timers.add(timer)
  }

  return {
    add: face => wait(face, 0),
    close() {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
