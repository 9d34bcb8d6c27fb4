import type { Address } from '@slipway/schema/address'
import { NETWORKS, type Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { createKeptListings } from '../launches/kept-listings.ts'
import { createLaunchList } from '../launches/launch-list.ts'
import { createLaunchSnapshots } from '../launches/launch-snapshots.ts'
import { launchPageUrl } from '../launches/listing/listed-launch.ts'
import { OtherListings, openListingsFile } from '../launches/listing/listings-file.ts'
import type { ShutdownList } from '../shutdown.ts'
import type { Database } from '../store/database.ts'
import type { RunHeavy } from '../store/heavy-queries.ts'
import { readLaunches, readLaunchVersions } from '../store/read-launches.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** The launches: whole listings, from memory, and pages of them, from the store. */
export function openListings(
  { launchPage, dataDir }: Config,
  {
    database,
    runHeavy,
    onLaunchesRead,
    onChanged,
    onAgentChanged,
    isFirst,
    metrics,
    log,
    shutdown,
  }: {
    database: Database
    runHeavy: RunHeavy
    /** Receives the number of launches that have been read, for the progress of start-up. */
    onLaunchesRead(count: number): void
    onChanged(): void
    /** A launch of this agent was added, removed or changed. */
    onAgentChanged(network: Network, agent: Address): void
    /** Of several workers, one writes the file that all of them read. */
    isFirst: boolean
    metrics: Metrics
    log: Log
    shutdown: ShutdownList
  },
) {
  const launchList = createLaunchList({ database, launchPage, runHeavy, clock: database.nowMs })
  const snapshots = createLaunchSnapshots({
    source: {
      readVersions: () => countRows(readLaunchVersions(database), onLaunchesRead),
      read: (network, addresses) => readLaunches(database, network, addresses),
    },
    kept: createKeptListings({
      file: openListingsFile({ folder: dataDir, launchPage }),
      mayWrite: isFirst,
      observer: {
        onUnreadable(error) {
          const fields = { err: error }
          if (error instanceof OtherListings) log.info(fields, 'the kept listings are from another version')
          else log.warn(fields, 'could not use the kept listings; reading the launches from the database')
        },
        onSaved: (launches, seconds) =>
          log.info({ launches, seconds }, 'kept the listings for the next start'),
        onSaveFailed: error =>
          log.warn({ err: error }, 'could not keep the listings; the next start will take longer'),
      },
    }),
    launchPage,
    clock: database.nowMs,
    observer: {
      onUpdated(launches, seconds) {
        if (launches > 0) {
          metrics.listingUpdateSeconds.observe(seconds)
          launchList.changed()
          onChanged()
        }
        for (const network of NETWORKS) metrics.launches.set({ network }, snapshots.of(network).size)
      },
      onAgentChanged,
      onFailed(error) {
        metrics.listingUpdateFailures.inc()
        log.error({ err: error }, 'could not update the listings; they stay as they are until the retry')
      },
      onCompressionFailed: error =>
        log.warn({ err: error }, 'could not finish compressing the listings; their content is up to date'),
    },
  })
  shutdown.add('listings', snapshots.close)

  /** The page of every launch, for the site map. */
  function* listPages() {
    for (const network of NETWORKS)
      for (const address of snapshots.of(network).addresses())
        yield {
          url: launchPageUrl(launchPage, network, address),
          changedMs: snapshots.of(network).launch(address)?.activityMs ?? 0,
        }
  }

  return { snapshots, launchList, listPages }
}

async function* countRows<Row>(batches: AsyncIterable<Row[]>, onCount: (count: number) => void) {
  let count = 0
  for await (const batch of batches) {
    count += batch.length
    onCount(count)
    yield batch
  }
}
