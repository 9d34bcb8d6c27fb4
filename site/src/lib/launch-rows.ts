import type { LaunchData, LaunchFigures, LaunchPage, ListLaunchesRequest, Slipway } from '@slipway/client'
import { STANDINGS } from '../server/protocol.ts'
import {
  compareLaunches,
  type DirectorySort,
  type LaunchFilter,
  STANDING_SORTS,
  standingAt,
  toLaunchRequests,
} from './launches.ts'
import { cut } from './parse-json.ts'

/** The launches of a list that have been loaded, from its start. */
export interface LaunchRows {
  launches: LaunchData[]
  /** The cursor of the next page; null if all are loaded. */
  next: string | null
  /** Matching launches, loaded or not. Where the page joins several lists, those of the lists that it has reached. */
  total: number
  /** By address; from when the rows were loaded. */
  figures: Record<string, LaunchFigures>
}

/** A row has two lines of it. */
const DESCRIPTION_LENGTH_MAX = 240
/** The service leaves longer ones out of its lists. */
const DATA_PICTURE_LENGTH_MAX = 2_048

/** What a list shows of a launch. Everything else would be sent with every page, and kept for every row. */
export function toRow({ launch, baseToken }: LaunchData): LaunchData {
  const { image } = baseToken
  const isTooLong = image.length > DATA_PICTURE_LENGTH_MAX && image.startsWith('data:')
  const description = cut(baseToken.description, DESCRIPTION_LENGTH_MAX)
  return {
    launch,
    baseToken: { ...baseToken, image: isTooLong ? '' : image, description },
    website: '',
    socials: {},
  }
}

/** One page of launches, with what a list shows of them. */
export async function readLaunchPage(
  slipway: { launches: Pick<Slipway['launches'], 'page'> },
  request: ListLaunchesRequest,
  options: { signal: AbortSignal },
) {
  const page = await slipway.launches.page(request, options)
  return { ...page, launches: page.launches.map(toRow) }
}

/** Reads rows of the directory. Where one of its lists ends, the next one follows. */
export async function readRows(
  slipway: Parameters<typeof readLaunchPage>[0],
  filter: LaunchFilter,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  options: { signal: AbortSignal },
): Promise<LaunchRows> {
  const lists = toLaunchRequests(filter)
  const isOne = lists.length === 1
  const start = isOne ? { list: 0, from: cursor } : parseCursor(cursor, lists.length)
  let rows: LaunchRows | undefined
  for (let { list, from } = start; ; list += 1, from = undefined) {
    const left = limit - (rows?.launches.length ?? 0)
    const page = await readLaunchPage(
      slipway,
      { ...lists[list], cursor: from, limit: left, figures: true },
      options,
    )
    rows = toRows(rows, page)
    if (isOne) return rows
    if (page.next !== null) return { ...rows, next: `${list}.${page.next}` }
    if (list === lists.length - 1) return { ...rows, next: null }
    if (rows.launches.length >= limit) return { ...rows, next: `${list + 1}.` }
  }
}

function toRows(rows: LaunchRows | undefined, page: LaunchPage): LaunchRows {
  const added = {
    launches: page.launches,
    next: page.next,
    total: page.total + (rows?.total ?? 0),
    figures: Object.fromEntries((page.figures ?? []).map(figures => [figures.genesisAddress, figures])),
  }
  return rows ? appendRows(rows, added) : added
}

/** `2.abc` continues the third list at `abc`. Cursors of the API have no dot. Anything else is the start. */
function parseCursor(cursor: string | undefined, lists: number) {
  const [, list = '0', from = ''] = /^(\d)\.(.*)$/.exec(cursor ?? '') ?? []
  return Number(list) < lists ? { list: Number(list), from: from || undefined } : { list: 0, from: undefined }
}

const addressOf = ({ launch }: LaunchData): string => launch.genesisAddress

/** Adds the next page. A launch that has moved meanwhile is not shown twice. */
export function appendRows(rows: LaunchRows, page: LaunchRows): LaunchRows {
  const known = new Set(rows.launches.map(addressOf))
  return {
    ...page,
    launches: [...rows.launches, ...page.launches.filter(data => !known.has(addressOf(data)))],
    figures: { ...rows.figures, ...page.figures },
  }
}

/**
 * Replaces the beginning of a list. Rows that were loaded beyond it stay, so that the page doesn't get shorter while
 * it is read.
 */
export function refreshRows(rows: LaunchRows | undefined, start: LaunchRows): LaunchRows {
  const last = start.launches.at(-1)
  if (!rows || start.next === null || !last) return start
  // Launches that arrived above have moved the others down, so the rest begins behind the last one that both have.
  const cut = rows.launches.findIndex(data => addressOf(data) === addressOf(last))
  if (cut === -1) return start
  const fresh = new Set(start.launches.map(addressOf))
  const rest = rows.launches.slice(cut + 1).filter(data => !fresh.has(addressOf(data)))
  if (rest.length === 0) return start
  const figures = { ...rows.figures, ...start.figures }
  return { ...start, figures, launches: [...start.launches, ...rest], next: rows.next }
}

export function removeRow(rows: LaunchRows, address: string): LaunchRows {
  const launches = rows.launches.filter(data => addressOf(data) !== address)
  if (launches.length === rows.launches.length) return rows
  return { ...rows, launches, total: Math.max(0, rows.total - 1) }
}

/**
 * Whether a launch's own data determines its place. The amount raised and the quality of a match are not part of it.
 */
const COMPARED: Record<DirectorySort, boolean> = {
  status: true,
  activity: true,
  ending: true,
  newest: false,
  raised: false,
  progress: false,
}

/** Whether a launch that has changed may come into a list that doesn't have it yet. */
export const takesArrivals = ({ sort, text, cursor }: LaunchFilter, isNew: boolean): boolean =>
  text === '' && cursor === undefined && (COMPARED[sort] || (sort === 'newest' && isNew))

/** Puts a launch that has changed where it belongs among the loaded ones, or removes it if it no longer matches. */
export function putRow(
  rows: LaunchRows,
  filter: LaunchFilter,
  data: LaunchData,
  { nowMs, isNew = false }: { nowMs: number; isNew?: boolean },
): LaunchRows {
  const address = addressOf(data)
  if (!isMatching(filter, data, nowMs)) return removeRow(rows, address)
  const at = rows.launches.findIndex(other => addressOf(other) === address)
  const isKnown = at !== -1
  if (!takesArrivals(filter, isNew)) {
    if (!isKnown) return rows
    return { ...rows, launches: rows.launches.with(at, data) }
  }
  const others = isKnown ? rows.launches.toSpliced(at, 1) : rows.launches
  const place = findPlace(others, filter.sort, data, nowMs)
  // A launch that is not loaded yet comes with a later page.
  const isBeyond = !isKnown && place === others.length && rows.next !== null
  const total = rows.total + (isKnown || !isNew ? 0 : 1)
  return { ...rows, total, launches: isBeyond ? others : others.toSpliced(place, 0, data) }
}

function isMatching({ status, mechanic }: LaunchFilter, data: LaunchData, nowMs: number): boolean {
  return (!mechanic || data.launch.mechanic === mechanic) && (!status || standingAt(data, nowMs) === status)
}

function findPlace(
  others: readonly LaunchData[],
  sort: DirectorySort,
  data: LaunchData,
  nowMs: number,
): number {
  if (sort === 'newest') return 0
  const place = others.findIndex(other => compareRows(data, other, sort, nowMs) < 0)
  return place === -1 ? others.length : place
}

function compareRows(a: LaunchData, b: LaunchData, sort: DirectorySort, nowMs: number): number {
  if (sort === 'activity') return compareLaunches(a, b)
  if (sort !== 'status') return compareEnds(a, b, nowMs)
  const [standingA, standingB] = [standingAt(a, nowMs), standingAt(b, nowMs)]
  return standingA === standingB
    ? compareRows(a, b, STANDING_SORTS[standingA], nowMs)
    : STANDINGS.indexOf(standingA) - STANDINGS.indexOf(standingB)
}

/** The next to end first, then those that have ended, the last first. Equal ends by address, in the same direction. */
function compareEnds({ launch: a }: LaunchData, { launch: b }: LaunchData, nowMs: number): number {
  const [endA, endB] = [Date.parse(a.endTime), Date.parse(b.endTime)]
  const [isOpenA, isOpenB] = [endA > nowMs, endB > nowMs]
  if (isOpenA !== isOpenB) return isOpenA ? -1 : 1
  const order = endA - endB || (a.genesisAddress < b.genesisAddress ? -1 : 1)
  return isOpenA ? order : -order
}
