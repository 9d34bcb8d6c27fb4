import type { SiteFile } from './site-build.ts'

/** Files of other builds, for pages that were opened before an update. */
export interface EarlierFiles {
  /** Stores the files of this node's build, for the time after the next update. */
  keep(files: ReadonlyMap<string, SiteFile>): Promise<void>
  /** Rejects if the store is down. */
  find(name: string): Promise<SiteFile | undefined>
}
