import type { Slipway } from '@slipway/client'
import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { PagePath, SiteSettings } from '../server/protocol.ts'

/** One page: its path, what the server loads for it, and what it shows. */
export interface Page<Params extends Record<string, string> = Record<string, string>> {
  /** With `:name` for each part that varies. The query parameters that the page reads are in `PAGE_PARAMETERS`. */
  path: PagePath
  /** Runs on the server. A `SlipwayError` becomes the page's error: 404 if the API says so, else 503. */
  load(context: LoadContext, params: Params, search: URLSearchParams): Promise<LoadedPage>
  Component: ComponentType<{ params: Params }>
}

export interface LoadContext {
  slipway: Slipway
  /** For requests that the client has no call for. */
  fetch(url: string): Promise<Response>
  /** Shared by all pages; fetch through it. */
  queryClient: QueryClient
  settings: SiteSettings
  nowMs: number
}

export interface LoadedPage {
  /** 200 if absent. */
  status?: number
  head: Head
  /** What the page shows first: query keys and their data. It travels to the browser, so keep it small. */
  data: [QueryKey, unknown][]
}

/** What search engines and link previews show. */
export interface Head {
  title: string
  description: string
  /** Path and query of the page's canonical URL. */
  path?: string
  /**
   * A picture for link previews; that of the site by default. Only https is used, and loopback while the chains are
   * embedded.
   */
  image?: string
  isIndexed?: boolean
  /** The path of the agent's card, on its page. */
  card?: string
}

/** What the server sends along with a page, so that the browser can continue from it. */
export interface PageState {
  settings: SiteSettings
  /** The server's clock, rounded down to the minute. */
  nowMs: number
  status: number
  data: [QueryKey, unknown][]
  /** Whatever has changed since the data was read has a later event. */
  lastEventId?: string
}

/** Gives a page's functions the types of its own parameters. */
export const definePage = <Name extends string>(page: Page<Record<Name, string>>): Page =>
  page as unknown as Page

/** Query data that a page is complete without: a failure leaves it out. */
export async function loadOptional<Data, Key extends QueryKey>(
  { queryClient }: LoadContext,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<[QueryKey, unknown][]> {
  try {
    return [[query.queryKey, await queryClient.fetchQuery(query)]]
  } catch {
    return []
  }
}
