import { createRunSoon } from '../../lib/run-soon.ts'

/** Pages that were rendered for an earlier version of the data are not sent any more. */
export interface PageVersion {
  current(): number
  /** This node has confirmed a change: no page of before may be sent after that. */
  confirmed(): void
  /** Anything that pages show has changed, here or on another node. */
  changed(): void
}

/** While data changes all the time, pages are still shared for this long. */
const SHARED_MS = 300

export function createPageVersion(): PageVersion {
  let version = 0
  const advance = () => {
    version += 1
  }
  return { current: () => version, confirmed: advance, changed: createRunSoon(SHARED_MS, advance) }
}
