/**
 * The messages between the service and the worker thread that renders pages. The service starts the worker, asks it for
 * pages, and answers its requests for the API.
 */

/** What pages know about the deployment. Everyone can read it, so it never contains an RPC URL of the service. */
export interface SiteSettings {
  /** Without a trailing slash. */
  publicUrl: string
  /** The networks that this service serves, the default one first. */
  networks: string[]
  /** The RPC that browsers may use, by network. */
  rpc: Record<string, { url: string; wsUrl: string }>
  /** Where hero images are stored, ending in a slash; absent if that is unknown. */
  heroesUrl?: string
  /** Whether the chains are embedded, so that pictures may come from loopback. */
  isEmbedded: boolean
  /** Whether all networks are embedded, so that nothing is worth anything. */
  isDemo: boolean
  /** Whether pages have a wallet of their own, with the demo's keys. No other wallet may connect then. */
  hasDemoWallet: boolean
}

/**
 * Every page, with the query parameters that it reads. The worker gets only these, because a rendered page is kept
 * for each of their values.
 */
export const PAGE_PARAMETERS = {
  '/': ['network', 'status', 'mechanic', 'sort', 'q', 'cursor'],
  '/launches/new': [],
  '/launches/:address': ['network'],
  '/agents': ['network', 'q', 'filter', 'sort', 'page'],
  '/agents/new': [],
  '/agents/:address': ['network'],
  '/rewards': ['network', 'q'],
  '/rewards/:wallet': ['network', 'agent'],
  '/wallets/:address': ['network'],
  '/status': [],
} as const satisfies Record<string, readonly string[]>

/** In the order of the directory: what is next comes first. */
export const STANDINGS = ['live', 'upcoming', 'closed', 'graduated'] as const
export const LAUNCH_MECHANICS = ['launchpoolV2', 'presaleV2', 'bondingCurveV2'] as const
export const LAUNCH_SORTS = ['activity', 'newest', 'raised', 'progress', 'ending'] as const
const AGENT_SORTS = ['latest', 'oldest'] as const

/** Parameters that have few values. Any other value means the same as none, and makes no page of its own. */
export const PARAMETER_VALUES: Partial<Record<string, readonly string[]>> = {
  status: STANDINGS,
  mechanic: LAUNCH_MECHANICS,
  sort: [...LAUNCH_SORTS, ...AGENT_SORTS],
}

export type PagePath = keyof typeof PAGE_PARAMETERS

/** The `workerData` of the worker. */
export interface WorkerSettings {
  settings: SiteSettings
  /** URLs of the built files that every page refers to. */
  files: PageFiles
}

export interface PageFiles {
  themeScript: string
  script: string
  icon: string
  /** The picture that link previews show for pages without one of their own. */
  preview: string
  styles: string[]
  /** Loaded early, because every page needs them. */
  fonts: string[]
  /** By path, the scripts that a page needs besides the one of all pages. */
  pages: Partial<Record<string, string[]>>
}

/**
 * Messages to the worker. The version rises whenever the API's answers may have changed, and any later change has a
 * later event.
 */
export type ToWorker =
  | { kind: 'render'; id: number; url: string; version: number; lastEventId: string }
  | ({ kind: 'answer'; id: number } & ApiAnswer)

/** Messages from the worker. */
export type FromWorker =
  | { kind: 'ready'; errorPages: Record<ErrorPageStatus, EncodedPage> }
  | { kind: 'page'; id: number; status: number; page: EncodedPage }
  | { kind: 'failed'; id: number; reason: string }
  | { kind: 'request'; id: number; url: string; etag?: string; page: number | undefined }

export interface ApiAnswer {
  status: number
  etag?: string
  /** The code of an error. */
  error?: string
  encoding: 'identity' | 'gzip'
  body: Uint8Array<ArrayBuffer>
}

/** Statuses with a page that needs no data. */
export const ERROR_PAGE_STATUSES = [404, 429, 500, 503] as const
export type ErrorPageStatus = (typeof ERROR_PAGE_STATUSES)[number]

export interface EncodedPage {
  identity: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer>
  br: Uint8Array<ArrayBuffer>
}
