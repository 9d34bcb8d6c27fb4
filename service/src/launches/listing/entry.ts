import type { Address } from '@slipway/schema/address'
import type { LaunchData, LaunchStatus, Socials } from '@slipway/schema/launch'
import type { LaunchRecord } from '../../store/launches.ts'
import { launchData } from '../launch-data.ts'

/**
 * One launch as it stands in listings. Never changed in place: a changed launch is another entry,
 * so that two entries are equal exactly when they are the same object.
 */
export interface Entry {
  readonly genesisAddress: Address
  readonly mint: Address
  readonly agent: Address | undefined
  readonly activityMs: number
  readonly startMs: number
  readonly status: LaunchStatus
  readonly spotlight: boolean
  readonly registeredMs: number
  readonly verifiedSocials: readonly (keyof Socials)[]
  /** The launch's element of `data`, ready to be sent. */
  readonly json: string
  /** Whether a segment of a listing begins with this launch. */
  readonly opensSegment: boolean
  /** Whether such a segment also begins a sheet. */
  readonly opensSheet: boolean
}

export function createEntry(record: LaunchRecord, launchPage: string, nowMs: number): Entry {
  const data = launchData(record, launchPage, nowMs)
  return {
    genesisAddress: record.genesisAddress,
    mint: record.mint,
    agent: record.agent ?? undefined,
    activityMs: record.lastActivityAt.getTime(),
    startMs: record.startsAt.getTime(),
    status: data.launch.status,
    spotlight: record.spotlight,
    registeredMs: record.registeredAt.getTime(),
    verifiedSocials: record.verifiedSocials,
    json: JSON.stringify(data),
    ...opens(record.genesisAddress),
  }
}

/** The same launch after its start: nothing but the status differs. */
export function startEntry(entry: Entry): Entry {
  const data = JSON.parse(entry.json) as LaunchData
  data.launch.status = 'live'
  return { ...entry, status: 'live', json: JSON.stringify(data) }
}

/** The entry as it is at this instant, should its start have passed since it was made. */
export function entryAt(entry: Entry, nowMs: number): Entry {
  return isDue(entry, nowMs) ? startEntry(entry) : entry
}

export function isDue(entry: Entry, nowMs: number): boolean {
  return entry.status === 'upcoming' && nowMs >= entry.startMs
}

/** Newest activity first; equal ones by address. */
export function compareEntries(a: Entry, b: Entry): number {
  if (a.activityMs !== b.activityMs) return b.activityMs - a.activityMs
  return a.genesisAddress < b.genesisAddress ? -1 : a.genesisAddress > b.genesisAddress ? 1 : 0
}

export function isSameEntry(a: Entry, b: Entry): boolean {
  return (
    a.json === b.json &&
    a.registeredMs === b.registeredMs &&
    a.agent === b.agent &&
    a.verifiedSocials.join() === b.verifiedSocials.join()
  )
}

/**
 * Cuts a listing about every 32 launches, and about every 2,048, by nothing but the launches themselves: every node
 * that knows the same launches cuts at the same places, sends the same bytes and names them with the same ETag.
 */
function opens(address: string): Pick<Entry, 'opensSegment' | 'opensSheet'> {
  let hash = 0x811c9dc5
  for (let at = 0; at < address.length; at += 1) {
    hash = Math.imul(hash ^ address.charCodeAt(at), 0x01000193)
  }
  hash ^= hash >>> 15
  return { opensSegment: (hash & 31) === 0, opensSheet: (hash & 2_047) === 0 }
}
