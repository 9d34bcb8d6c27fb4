import { type ErrorCode, ServiceError } from '@slipway/schema/errors'
import { NETWORKS, type Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { documentUrl } from '../metadata/own-documents.ts'
import type { ShutdownList } from '../shutdown.ts'
import type { Database } from '../store/database.ts'
import { sweepDocuments } from '../store/document-budgets.ts'
import {
  type HostDocument,
  type HostingRules,
  type Saved,
  savePendingDocument,
} from '../store/pending-documents.ts'
import type { Log } from '../telemetry/log.ts'
import { createLogSampler } from '../telemetry/log-sampler.ts'
import type { Metrics } from '../telemetry/metrics.ts'

const SWEEP_MS = 60_000

type Refusal = Exclude<Saved, 'saved' | 'removed'>

const REFUSALS: Record<Refusal, ErrorCode> = {
  'client-full': 'TOO_MANY_PENDING',
  full: 'DOCUMENTS_FULL',
  'owner-full': 'TOO_MANY_DOCUMENTS',
  'client-day-full': 'TOO_MANY_DOCUMENTS',
  'network-full': 'DOCUMENTS_FULL',
}

/** Hosts the documents of mints and launches within their limits, and deletes those that have expired. */
export function openHosting(
  config: Pick<Config, 'publicUrl' | 'publicUrlsPrevious' | 'documentBudgets'>,
  {
    database,
    metrics,
    log,
    shutdown,
  }: { database: Database; metrics: Metrics; log: Log; shutdown: ShutdownList },
): { hostDocument: HostDocument; start(): void } {
  const rules = hostingRules(config)
  // Counted from 0 on, so that an alert sees the first refusal.
  for (const network of NETWORKS)
    for (const reason of Object.keys(REFUSALS)) metrics.documentsRefused.inc({ network, reason }, 0)
  const logRefusal = createLogSampler<{ network: Network; owner: string; reason: Refusal }>((line, leftOut) =>
    log.warn({ ...line, ...(leftOut > 0 && { leftOut }) }, 'a limit for hosted documents is reached'),
  )
  async function sweep() {
    try {
      const { named, pendingBytes } = await sweepDocuments(database)
      for (const { network, bytes } of named) metrics.namedDocumentBytes.set({ network }, bytes)
      metrics.pendingDocumentBytes.set(pendingBytes)
    } catch (error) {
      log.warn({ err: error }, 'could not delete expired documents; retrying in a minute')
    }
  }
  let timer: NodeJS.Timeout | undefined
  shutdown.add('document sweep', () => clearInterval(timer))
  return {
    async hostDocument(document) {
      const saved = await savePendingDocument(database, document, rules)
      if (saved === 'saved' || saved === 'removed') return saved
      const { network, owner } = document
      metrics.documentsRefused.inc({ network, reason: saved })
      logRefusal(saved, { network, owner, reason: saved })
      throw new ServiceError(REFUSALS[saved])
    },
    start() {
      timer = setInterval(sweep, SWEEP_MS).unref()
      void sweep()
    },
  }
}

export const hostingRules = ({
  publicUrl,
  publicUrlsPrevious,
  documentBudgets: budgets,
}: Pick<Config, 'publicUrl' | 'publicUrlsPrevious' | 'documentBudgets'>): HostingRules => ({
  uriPatterns: [publicUrl, ...publicUrlsPrevious].map(url => documentUrl(url, '{sha256}')),
  budgets,
})
