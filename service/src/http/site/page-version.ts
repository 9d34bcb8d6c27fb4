import { createRunSoon } from '../../lib/run-soon.ts'

/** Pages that were rendered from an earlier version of the data are no longer sent. */
export interface PageVersion {
  current(): number
  /**
   * The last event before anything of this version was read. A page that follows the events after it misses no
   * change.
   */
  lastEventId(): string
  /** This node has confirmed a change: no page from before the change may be sent after that. */
  confirmed(): void
  /** Anything that pages show has changed, here or on another node. */
  changed(): void
}

/** While data changes constantly, pages are still shared for this long. */
const SHARED_MS = 300

export function createPageVersion(newestEventId: () => number): PageVersion {
  let version = 0
  let eventId: number | undefined
  const advance = () => {
    version += 1
    eventId = undefined
  }
  function lastEventId() {
    eventId ??= newestEventId()
    return `${eventId}`
  }
  return {
    current: () => version,
    lastEventId,
    confirmed: advance,
    changed: createRunSoon(SHARED_MS, advance),
  }
}
