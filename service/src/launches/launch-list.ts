import type { Address } from '@slipway/schema/address'
import type { LaunchData, LaunchPageInfo } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { createKeptReads } from '../lib/kept-reads.ts'
import type { Database } from '../store/database.ts'
import { detailsKey, readLaunchDetails } from '../store/event-details.ts'
import { createHeavyQueries, type RunHeavy } from '../store/heavy-queries.ts'
import { countClosed, countLaunchesByStatus, type StatusCounts, sumCounts } from '../store/launch-counts.ts'
import {
  findCreated,
  findLaunchPlaces,
  findMatchPlaces,
  findStarted,
  type LaunchFilter,
  type LaunchOrder,
  type LaunchSelection,
  launchFlags,
  type MatchPlace,
} from '../store/list-launches.ts'
import { canSearchFuzzily } from '../store/prepare-search.ts'
import { readLaunches } from '../store/read-launches.ts'
import { searchLaunches } from '../store/search-launches.ts'
import { toQueryWords } from '../store/search-names.ts'
import { buildFigures } from './activity/build-activity.ts'
import { buildLaunchData } from './listing/listed-launch.ts'
import { decodeCursor, encodeCursor, listFingerprint, type PageCursor } from './page-cursor.ts'

export interface LaunchListQuery {
  network: Network
  filter: LaunchFilter
  /** In a search, it applies among equally good matches. */
  order: LaunchOrder
  limit: number
  cursor?: string | undefined
  /** Whether the page says how many launches have each status. Searches and lists of one creator never do. */
  counts?: boolean | undefined
  /** Whether the page has the figures of its launches. */
  figures?: boolean | undefined
  /** Absent for the whole list. */
  text?: string | undefined
  /** Absent for the launches of all creators. */
  creator?: Address | undefined
}

export interface LaunchPage {
  data: LaunchData[]
  page: LaunchPageInfo
}

/** Pages of launches, from the store. The whole listing is in memory: see `launch-snapshots.ts`. */
export interface LaunchList {
  /** Throws `INVALID_CURSOR` for a cursor of another list. */
  find(query: LaunchListQuery): Promise<LaunchPage>
  /** Call it when launches have changed in the store: from then on, every search knows the change. */
  changed(): void
  /** Grows with every change. */
  version(): number
  /** Finds out what the database can search for. Until then, only the beginnings of names are searched. */
  start(): Promise<void>
}

/** The launches that match a search, by id, with their scores. */
type Scores = ReadonlyMap<string, number>

/** A search is repeated after this time; until then, its matches come from memory. Their order is always read. */
const SEARCH_MS = 5_000
/** In all cached searches together. */
const CACHED_MATCHES_MAX = 300_000
/** Counting the closed launches costs more the more there are, so the number may be this old. */
const CLOSED_COUNT_MS = 5_000
const CLOSED_COUNTS_MAX = 100
/** A page ends before the launch that would make it longer than this. Each has at most 6 kB, so pages of 50 are always full. */
const PAGE_BYTES_MAX = 300_000
/** For this long, the pages of the order `ending` and their ETags stay the same if nothing changes. */
const ENDING_STEP_MS = 5_000

export function createLaunchList({
  database,
  launchPage,
  runHeavy = createHeavyQueries(),
  clock = Date.now,
}: {
  database: Database
  /** The URL pattern of a launch's page. */
  launchPage: string
  /** Runs searches. */
  runHeavy?: RunHeavy
  clock?: () => number
}): LaunchList {
  let isFuzzy = false
  let version = 0
  const searches = createKeptReads<string, Scores>({
    keptMs: SEARCH_MS,
    sizeMax: CACHED_MATCHES_MAX,
    sizeOf: (scores, key) => scores.size + Math.ceil(key.length / 40) + 4,
  })
  const closedCounts = createKeptReads<string, number>({
    keptMs: CLOSED_COUNT_MS,
    sizeMax: CLOSED_COUNTS_MAX,
    now: clock,
  })

  /** The matches, from memory if they were found a moment ago. */
  const remember = (parts: unknown[], find: () => Promise<Scores>) =>
    searches(JSON.stringify(parts), () => runHeavy(find))

  /** How many of the live launches are closed. */
  const findClosedCount = (selection: LaunchSelection) =>
    closedCounts(
      JSON.stringify([selection.network, selection.filter.spotlight, selection.filter.mechanic]),
      () => countClosed(database, selection),
    )

  /** The launches of a creator, the matches of a search, or the matches among the launches of a creator. */
  async function search({ text, creator }: LaunchListQuery, selection: LaunchSelection): Promise<Scores> {
    const { network, filter } = selection
    const created =
      creator &&
      (await remember([network, creator], async () => {
        const ids = await findCreated(database, network, creator)
        return new Map(ids.map(id => [id, 0]))
      }))
    if (text === undefined) return created ?? new Map()
    return remember([network, filter, creator, text], async () => {
      const flags = Object.values(launchFlags(filter)).flat()
      const also = filter.status === 'live' || filter.closed ? await findStarted(database, selection) : []
      const words = toQueryWords(text)
      const among = created && [...created.keys()]
      return searchLaunches(database, network, { text, words, flags, also, among }, { isFuzzy })
    })
  }

  async function findPlaces(
    query: LaunchListQuery,
    selection: LaunchSelection,
    { place: after, asOfMs }: { place?: MatchPlace; asOfMs: number },
    limit: number,
  ): Promise<{ places: MatchPlace[]; total: number; counts?: StatusCounts & { closed: number } }> {
    const { order, text, creator } = query
    if (text !== undefined || creator !== undefined) {
      const scores = await search(query, selection)
      return findMatchPlaces(database, selection, { scores, order, asOfMs, after, limit })
    }
    const read = order === 'ending' ? readEnding : readForward
    const [places, counts, closedCount] = await Promise.all([
      read(),
      countLaunchesByStatus(database, selection),
      query.counts || selection.filter.closed !== undefined ? findClosedCount(selection) : 0,
    ])
    // The two counts are of different times.
    const closed = Math.min(closedCount, counts.live)
    const total = sumCounts(counts, selection.filter, closed)
    return { places: places.map(place => ({ ...place, score: 0 })), total, counts: { ...counts, closed } }

    function readForward() {
      return findLaunchPlaces(database, selection, { order, isBackward: false, after, limit })
    }

    /** The next to end comes first. After that come launches that have ended, the latest first. */
    async function readEnding() {
      const hasEnded = after !== undefined && Number(after.key) <= asOfMs
      const beyond = `${asOfMs}`
      const open = hasEnded
        ? []
        : await findLaunchPlaces(database, selection, { order, isBackward: false, beyond, after, limit })
      if (open.length === limit) return open
      const ended = await findLaunchPlaces(database, selection, {
        order,
        isBackward: true,
        beyond,
        after: hasEnded ? after : undefined,
        limit: limit - open.length,
      })
      return [...open, ...ended]
    }
  }

  return {
    changed() {
      version += 1
      searches.clear()
    },
    version: () => version,
    async start() {
      isFuzzy = await canSearchFuzzily(database, 'launches')
    },
    async find(query) {
      const { network, filter, order, limit, cursor } = query
      const list = fingerprintOf(query)
      const nowMs = clock()
      const start: Partial<PageCursor> = cursor === undefined ? {} : decodeCursor(cursor, list, order)
      const { asOfMs = order === 'ending' ? nowMs - (nowMs % ENDING_STEP_MS) : 0 } = start
      // One more than the page has, to know whether another follows.
      const { places, total, counts } = await findPlaces(
        query,
        { network, filter, nowMs },
        { ...start, asOfMs },
        limit + 1,
      )
      const shown = places.slice(0, limit)
      let last = places.length > limit ? shown.at(-1) : undefined
      const addresses = shown.map(({ address }) => address)
      const [records, details] = await Promise.all([
        readLaunches(database, network, addresses),
        query.figures
          ? readLaunchDetails(
              database,
              addresses.map(address => ({ network, address })),
            )
          : undefined,
      ])
      const byAddress = new Map(records.map(record => [record.genesisAddress, record]))
      const data: LaunchData[] = []
      let bytes = 0
      for (const [at, { address }] of shown.entries()) {
        const record = byAddress.get(address)
        const found = record && buildLaunchData(record, launchPage, nowMs)
        // A launch that has changed since its place was read may no longer match.
        if (!found || !isMatching(found, filter, nowMs)) continue
        bytes += Buffer.byteLength(JSON.stringify(found))
        if (bytes > PAGE_BYTES_MAX) {
          last = shown[at - 1]
          break
        }
        data.push(found)
      }
      const next = last ? encodeCursor({ place: last, asOfMs }, list) : null
      const figures =
        details &&
        data.flatMap(({ launch: { genesisAddress } }) => {
          const known = details.get(detailsKey(network, genesisAddress))
          return known ? buildFigures(genesisAddress, known) : []
        })
      return {
        data,
        page: { next, total, ...(query.counts && counts && { counts }), ...(figures && { figures }) },
      }
    },
  }
}

function isMatching({ launch }: LaunchData, filter: LaunchFilter, nowMs: number): boolean {
  const isClosed = launch.status === 'live' && Date.parse(launch.endTime) <= nowMs
  const known = { ...launch, closed: isClosed }
  return Object.entries(filter).every(
    ([field, wanted]) => wanted === undefined || known[field as keyof LaunchFilter] === wanted,
  )
}

/** Identifies the list that a cursor belongs to. */
export function fingerprintOf({
  network,
  order,
  filter,
  text,
  creator,
}: Omit<LaunchListQuery, 'limit'>): string {
  const { status, spotlight, mechanic, closed } = filter
  return listFingerprint([network, order, status, spotlight, mechanic, text, creator, closed])
}
