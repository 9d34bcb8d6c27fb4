import type { PageFiles } from '@slipway/site/protocol'

/** The built site: the files that browsers load, and the program that renders pages. */
export interface SiteBuild {
  /** Path of the worker thread's program. */
  worker: string
  /** By name. A name contains the hash of its content. */
  files: ReadonlyMap<string, SiteFile>
  /** Names of the files that every page refers to. */
  manifest: PageFiles & {
    /** By source, the files that pages load when they need them. */
    parts: Record<string, string>
  }
}

export interface SiteFile {
  type: string
  identity: Buffer
  gzip?: Buffer
  br?: Buffer
}

/** Where files are served. */
export const FILES_PATH = '/assets'
