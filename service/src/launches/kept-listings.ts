import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { hasStatusAt, type ListedLaunch } from './listing/listed-launch.ts'
import type { Segment } from './listing/listing.ts'
import type { ListingsFile, NetworkSegment } from './listing/listings-file.ts'

/** The listings in a file, which saves the next start most of its work. */
export interface KeptListings {
  /**
   * Takes the launches that the file has in exactly these versions, removes them from `outdated`, and returns them with the
   * segments that are still whole.
   */
  take(
    outdated: ReadonlyMap<Network, Pick<Map<Address, number | undefined>, 'get' | 'delete'>>,
    nowMs: number,
  ): Promise<ReadonlyMap<Network, TakenLaunches>>
  /** Writes the file if too much has changed since the last time. Never rejects. */
  saveIfDue(list: () => readonly NetworkSegment[]): Promise<void>
  /** Stops a write that is under way. */
  close(): Promise<void>
}

export interface TakenLaunches {
  launches: ListedLaunch[]
  segments: Segment[]
}

export interface KeptListingsObserver {
  onUnreadable(error: unknown): void
  onSaved(launches: number, seconds: number): void
  onSaveFailed(error: unknown): void
}

/** Fewer are read and encoded in no time. */
export const LAUNCHES_MIN = 2_000
/** The share of segments that a start would have to encode. */
const UNSAVED_SHARE_MAX = 0.05
/** Each write takes about 300 bytes per launch. */
const PAUSE_MS = 10 * 60_000

export function createKeptListings({
  file,
  mayWrite,
  observer,
  launchesMin = LAUNCHES_MIN,
}: {
  file: ListingsFile
  /** Of several processes that share the file, one writes it. */
  mayWrite: boolean
  observer: KeptListingsObserver
  launchesMin?: number
}): KeptListings {
  const saved = new WeakSet<Segment>()
  const closing = new AbortController()
  let nextMs = mayWrite ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  let saving = Promise.resolve()

  function isDue(segments: readonly NetworkSegment[]): boolean {
    const unsaved = segments.filter(({ segment }) => !saved.has(segment)).length
    return unsaved > UNSAVED_SHARE_MAX * segments.length && countLaunches(segments) >= launchesMin
  }

  async function save(segments: readonly NetworkSegment[]) {
    const start = performance.now()
    nextMs = Number.POSITIVE_INFINITY
    try {
      await file.write(segments, closing.signal)
      for (const { segment } of segments) saved.add(segment)
      nextMs = performance.now() + PAUSE_MS
      observer.onSaved(countLaunches(segments), (performance.now() - start) / 1_000)
    } catch (error) {
      // Not tried again: the next start is slower, and that is all.
      if (!closing.signal.aborted) observer.onSaveFailed(error)
    }
  }

  return {
    async take(outdated, nowMs) {
      const taken = new Map<Network, TakenLaunches>()
      try {
        for await (const { network, segment } of file.read()) {
          const versions = outdated.get(network)
          const current = segment.launches.filter(
            launch =>
              hasStatusAt(launch, nowMs) &&
              versions?.get(launch.genesisAddress) === launch.version &&
              versions.delete(launch.genesisAddress),
          )
          const { launches, segments } = taken.get(network) ?? { launches: [], segments: [] }
          taken.set(network, { launches, segments })
          for (const launch of current) launches.push(launch)
          if (current.length < segment.launches.length) continue
          segments.push(segment)
          saved.add(segment)
        }
      } catch (error) {
        // What was read before is intact.
        observer.onUnreadable(error)
      }
      return taken
    },
    saveIfDue(list) {
      if (performance.now() >= nextMs && !closing.signal.aborted) {
        const segments = list()
        if (isDue(segments)) saving = save(segments)
      }
      return saving
    },
    async close() {
      closing.abort()
      await saving
    },
  }
}

const countLaunches = (segments: readonly NetworkSegment[]) =>
  segments.reduce((sum, { segment }) => sum + segment.launches.length, 0)
