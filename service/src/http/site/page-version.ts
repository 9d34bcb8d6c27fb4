import { createRunSoon } from '../../lib/run-soon.ts'

/** Pages that were rendered from an earlier version of the data are no longer sent. */
export interface PageVersion {
  current(): number
  /** This node has confirmed a change: no page from before the change may be sent after that. */
  confirmed(): void
  /** Anything that pages show has changed, here or on another node. */
  changed(): void
}

/** While data changes constantly, pages are still shared for this long. */
const SHARED_MS = 300

export function createPageVersion(): PageVersion {
  let version = 0
  const advance = () => {
    version += 1
  }
  return { current: () => version, confirmed: advance, changed: createRunSoon(SHARED_MS, advance) }
}
