import type { Address } from '@slipway/schema/address'
import { cleanToken } from '@slipway/schema/clean-text'
import type { LaunchData, LaunchStatus, Socials } from '@slipway/schema/launch'
import { DEFAULT_NETWORK, type Network } from '@slipway/schema/network'
import { shortenLinks, shortenToken } from '../../lib/shorten.ts'
import type { LaunchRecord } from '../../store/read-launches.ts'

/**
 * One launch as listings show it. A changed launch is a new object, so two listed launches are equal exactly when they
 * are the same object. A class, because there are very many: this takes half the memory of objects with a `Buffer` each.
 */
export class ListedLaunch {
  readonly genesisAddress: Address
  readonly mint: Address
  readonly agent: Address | undefined
  /** Whether it created its token. What it says of the token counts only then. */
  readonly createdToken: boolean
  readonly activityMs: number
  readonly startMs: number
  readonly status: LaunchStatus
  readonly spotlight: boolean
  readonly registeredMs: number
  readonly verifiedSocials: readonly (keyof Socials)[]
  /** Whether the store has longer texts, which only the launch's detail shows. */
  readonly isShortened: boolean
  /** Of the rows that it was read from. A write that changes nothing here changes it too. */
  version: number
  /** Whether a segment of a listing begins with this launch. */
  readonly opensSegment: boolean
  /** The JSON is `length` bytes of this, from `start`. Once it is listed, it is its segment, so that it is in memory only once. */
  source: Buffer
  start: number
  readonly length: number

  constructor(keys: LaunchKeys, { source, start, length }: StoredJson) {
    this.genesisAddress = keys.genesisAddress
    this.mint = keys.mint
    this.agent = keys.agent
    this.createdToken = keys.createdToken
    this.activityMs = keys.activityMs
    this.startMs = keys.startMs
    this.status = keys.status
    this.spotlight = keys.spotlight
    this.registeredMs = keys.registeredMs
    this.verifiedSocials = keys.verifiedSocials
    this.isShortened = keys.isShortened
    this.version = keys.version
    this.opensSegment = opensSegment(keys.genesisAddress)
    this.source = source
    this.start = start
    this.length = length
  }

  /** The launch's element of `data`. */
  get json(): string {
    return this.source.toString('utf8', this.start, this.start + this.length)
  }
}

export type LaunchKeys = Omit<ListedLaunch, 'opensSegment' | 'json' | keyof StoredJson>

interface StoredJson {
  source: Buffer
  start: number
  length: number
}

function storeJson(data: LaunchData): StoredJson {
  const source = Buffer.from(JSON.stringify(data))
  return { source, start: 0, length: source.length }
}

export const readLaunchData = ({ json }: Pick<ListedLaunch, 'json'>): LaunchData => JSON.parse(json)

export function createListedLaunch(record: LaunchRecord, launchPage: string, nowMs: number): ListedLaunch {
  const about = buildAbout(record)
  const listed = shortenAbout(about)
  const data = { launch: buildLaunch(record, launchPage, nowMs), ...listed }
  const keys = {
    genesisAddress: record.genesisAddress,
    mint: record.mint,
    agent: record.agent ?? undefined,
    createdToken: record.createdToken,
    activityMs: record.lastActivityAt.getTime(),
    startMs: record.startsAt.getTime(),
    status: data.launch.status,
    spotlight: record.spotlight,
    registeredMs: record.registeredAt.getTime(),
    verifiedSocials: record.verifiedSocials.length > 0 ? record.verifiedSocials : NO_SOCIALS,
    isShortened: listed !== about || record.isPartial === true,
    version: record.version,
  }
  return new ListedLaunch(keys, storeJson(data))
}

/** Most launches have no verified links, and share this. */
export const NO_SOCIALS: readonly never[] = []

/** The same launch after its start: only the status differs. */
export function startLaunch(launch: ListedLaunch): ListedLaunch {
  const data = readLaunchData(launch)
  data.launch.status = 'live'
  return new ListedLaunch({ ...launch, status: 'live' }, storeJson(data))
}

/** The launch as it is at this instant: its start may have passed since the object was created. */
export function launchAt(launch: ListedLaunch, nowMs: number): ListedLaunch {
  return launch.status === 'upcoming' && nowMs >= launch.startMs ? startLaunch(launch) : launch
}

/** Whether the launch's status is the right one at this instant. */
export const hasStatusAt = ({ status, startMs }: ListedLaunch, nowMs: number): boolean =>
  status === 'graduated' || (status === 'upcoming') === nowMs < startMs

/** Newest activity first; equal times by address. */
export function compareLaunches(a: ListedLaunch, b: ListedLaunch): number {
  if (a.activityMs !== b.activityMs) return b.activityMs - a.activityMs
  return a.genesisAddress < b.genesisAddress ? -1 : a.genesisAddress > b.genesisAddress ? 1 : 0
}

export function isSameLaunch(a: ListedLaunch, b: ListedLaunch): boolean {
  return (
    a.json === b.json &&
    a.registeredMs === b.registeredMs &&
    a.agent === b.agent &&
    a.createdToken === b.createdToken &&
    a.isShortened === b.isShortened &&
    a.verifiedSocials.join() === b.verifiedSocials.join()
  )
}

/**
 * Cuts a listing about every 64 launches (50 KB), by a hash of the address alone: every node with the same launches cuts at the
 * same places, and so sends the same bytes under the same ETag.
 */
function opensSegment(address: string): boolean {
  let hash = 0x811c9dc5
  for (let at = 0; at < address.length; at += 1) {
    hash = Math.imul(hash ^ address.charCodeAt(at), 0x01000193)
  }
  hash ^= hash >>> 15
  return (hash & 63) === 0
}

/**
 * A launch as lists show it at this instant, its fields in the order of the contract. It takes at most 6 kB, whatever its
 * documents say. `launchPage` is a URL pattern.
 */
export const buildLaunchData = (record: LaunchRecord, launchPage: string, nowMs: number): LaunchData => ({
  launch: buildLaunch(record, launchPage, nowMs),
  ...shortenAbout(buildAbout(record)),
})

/** The texts, pictures and links that people write about a launch. */
export type LaunchAbout = Omit<LaunchData, 'launch'>

/** As the launch's detail has it. */
export const buildAbout = ({ token, website, socials }: LaunchRecord): LaunchAbout => ({
  baseToken: cleanToken(token),
  website,
  socials,
})

/** As lists have it: the same object if nothing is too long. */
function shortenAbout(about: LaunchAbout): LaunchAbout {
  const baseToken = shortenToken(about.baseToken)
  const { website, socials } = shortenLinks(about)
  const isWhole = baseToken === about.baseToken && website === about.website && socials === about.socials
  return isWhole ? about : { baseToken, website, socials }
}

const buildLaunch = (record: LaunchRecord, launchPage: string, nowMs: number): LaunchData['launch'] => ({
  launchPage: launchPageUrl(launchPage, record.network, record.genesisAddress),
  mechanic: record.mechanic,
  genesisAddress: record.genesisAddress,
  spotlight: record.spotlight,
  startTime: record.startsAt.toISOString(),
  endTime: record.endsAt.toISOString(),
  status: statusOf(record, nowMs),
  heroUrl: record.heroUrl,
  graduatedAt: record.graduatedAt?.toISOString() ?? null,
  lastActivityAt: record.lastActivityAt.toISOString(),
  // The contract has two types; a bonding curve is open-ended like a launch pool.
  type: record.mechanic === 'presaleV2' ? 'presale' : 'launchpool',
})

/** Derived, never stored: it changes with the clock, without a write. */
function statusOf({ graduatedAt, startsAt }: LaunchRecord, nowMs: number): LaunchStatus {
  if (graduatedAt) return 'graduated'
  return nowMs < startsAt.getTime() ? 'upcoming' : 'live'
}

/**
 * The URL of a launch's page: fills `{genesisAddress}` and `{network}` into the deployment's pattern. If the pattern has
 * no `{network}`, any network except the default is added as a query parameter.
 */
export function launchPageUrl(pattern: string, network: Network, address: Address): string {
  const page = pattern.replaceAll('{genesisAddress}', address)
  if (page.includes('{network}')) return page.replaceAll('{network}', network)
  if (network === DEFAULT_NETWORK) return page
  const [place = '', ...fragment] = page.split('#')
  const withNetwork = `${place}${place.includes('?') ? '&' : '?'}network=${network}`
  return [withNetwork, ...fragment].join('#')
}
