import type { Address } from '@slipway/schema/address'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { eachInTurns } from '../lib/each-in-turns.ts'
import type { LaunchRecord, LaunchVersion } from '../store/read-launches.ts'
import type { KeptListings, TakenLaunches } from './kept-listings.ts'
import { createNetworkListings, type NetworkListings } from './listing/network-listings.ts'

/** Where launches are read from. */
interface LaunchSource {
  readVersions(): AsyncIterable<LaunchVersion[]>
  read(network: Network, addresses: readonly Address[]): Promise<LaunchRecord[]>
}

/** The launches of every network as prepared responses, kept in step with the store outside of requests. */
export interface LaunchSnapshots {
  of(
    network: Network,
  ): Pick<
    NetworkListings,
    'listing' | 'prepare' | 'launch' | 'launchesOfToken' | 'tokensOfAgent' | 'addresses' | 'size'
  >
  /** Call it when these launches have changed in the store. */
  changed(network: Network, addresses: readonly Address[]): void
  /** Call it when anything may have changed in the store. */
  everythingChanged(): void
  /** Resolves once these launches are shown as they are stored at the time of the call; rejects if that fails. */
  show(network: Network, addresses: readonly Address[]): Promise<void>
  /** Resolves once every change announced before the call is shown; rejects if that fails. */
  caughtUp(): Promise<void>
  /** Writes the listings to their file if it lacks too much of them. Never rejects. */
  keep(): Promise<void>
  close(): Promise<void>
}

interface SnapshotObserver {
  onUpdated(launches: number, seconds: number): void
  onFailed(error: unknown): void
  /** The listings are correct, but have no Brotli form. */
  onCompressionFailed(error: unknown): void
  onAgentChanged?(network: Network, agent: Address): void
}

/** Updates are at least this far apart, so that rapid changes are shown together. */
const PAUSE_MS_MIN = 50
const PAUSE_MS_MAX = 400
const RETRY_MS = 500
/** A small batch, so that requests are answered in between while all launches are read, and memory stays small. */
const BATCH = 500
/** How long nothing must have changed before the listings are compressed with Brotli. */
const IDLE_MS_MIN = 300
const IDLE_MS_MAX = 10_000
const CLOSED = new Error('the listings are no longer kept in step')
/** No timer runs longer than this, so that a change of the system clock is noticed. */
const SLEEP_MS_MAX = 30_000

export function createLaunchSnapshots({
  source,
  kept,
  launchPage,
  clock = Date.now,
  observer,
}: {
  source: LaunchSource
  /** Absent: every start reads and encodes all launches. */
  kept?: KeptListings | undefined
  launchPage: string
  clock?: () => number
  observer: SnapshotObserver
}): LaunchSnapshots {
  const listings = new Map(
    NETWORKS.map(network => [
      network,
      createNetworkListings({
        launchPage,
        clock,
        onAgentChanged: agent => observer.onAgentChanged?.(network, agent),
      }),
    ]),
  )
  const of = (network: Network) => listings.get(network) as NetworkListings

  let dirty = new Map<Network, Set<Address>>()
  let reload = false
  let closed = false
  let idleMs = IDLE_MS_MIN
  let wake = () => {}
  let waiting: { resolve(): void; reject(error: unknown): void }[] = []

  const hasWork = () => reload || dirty.size > 0 || waiting.length > 0

  async function keepInStep() {
    while (!closed) {
      await untilWork()
      if (closed) return
      const pauseMs = await step()
      if (!closed) await sleepUnlessClosed(pauseMs)
    }
  }

  /** Shows everything announced so far; returns how long to pause, so that requests get most of the processor. */
  async function step(): Promise<number> {
    const work = { dirty, reload, waiting }
    dirty = new Map()
    reload = false
    waiting = []
    const start = performance.now()
    try {
      const launches = work.reload ? await readEverything() : await readChanged(work.dirty)
      const ms = performance.now() - start
      observer.onUpdated(launches, ms / 1_000)
      for (const { resolve } of work.waiting) resolve()
      return Math.min(Math.max(PAUSE_MS_MIN, 2 * ms), PAUSE_MS_MAX)
    } catch (error) {
      observer.onFailed(error)
      // The listings stay as they are, and the same work is tried again.
      reload ||= work.reload
      for (const [network, addresses] of work.dirty) addDirty(network, addresses)
      for (const { reject } of work.waiting) reject(error)
      return RETRY_MS
    }
  }

  async function readChanged(
    changed: ReadonlyMap<Network, Iterable<Address>>,
    taken?: ReadonlyMap<Network, TakenLaunches>,
  ): Promise<number> {
    let launches = 0
    for (const [network, known] of listings) {
      const addresses = [...(changed.get(network) ?? [])]
      const removed: Address[] = []
      const { launches: found = [], segments } = taken?.get(network) ?? {}
      for (let start = 0; start < addresses.length; start += BATCH) {
        const missing = new Set(addresses.slice(start, start + BATCH))
        for (const record of await source.read(network, [...missing])) {
          missing.delete(record.genesisAddress)
          found.push(known.toListed(record))
        }
        removed.push(...missing)
      }
      await known.update(found, removed, segments)
      launches += addresses.length
    }
    return launches
  }

  async function readEverything(): Promise<number> {
    const { outdated, launches } = await findOutdated()
    const isFirst = [...listings.values()].every(({ size }) => size === 0)
    const taken = isFirst ? await kept?.take(outdated, clock()) : undefined
    await readChanged(new Map([...outdated].map(([network, versions]) => [network, versions.keys()])), taken)
    return launches
  }

  /**
   * The launches that are not shown as they are stored, with their stored versions. One that is no longer stored has none.
   * Counts those that are stored.
   */
  async function findOutdated() {
    const outdated = new Map<Network, Map<Address, number | undefined>>()
    for (const [network, shown] of listings) {
      const versions = new Map<Address, number | undefined>()
      await eachInTurns(shown.addresses(), address => versions.set(address, undefined))
      outdated.set(network, versions)
    }
    let launches = 0
    for await (const batch of source.readVersions()) {
      launches += batch.length
      for (const { network, genesisAddress, version } of batch) {
        if (of(network).launch(genesisAddress)?.version === version)
          outdated.get(network)?.delete(genesisAddress)
        else outdated.get(network)?.set(genesisAddress, version)
      }
    }
    return { outdated, launches }
  }

  async function untilWork() {
    const nextStartMs = Math.min(...[...listings.values()].map(network => network.nextStartMs))
    await sleep(Math.min(idleMs, nextStartMs - clock()))
    await compress(() => !hasWork() && !closed && clock() < nextStartMs)
    // After a failed reload, a part of the listings may be missing.
    if (!reload) void keep()
    await sleep(nextStartMs - clock())
  }

  async function keep() {
    await kept?.saveIfDue(() =>
      [...listings].flatMap(([network, known]) => known.segments().map(segment => ({ network, segment }))),
    )
  }

  /** Ends as soon as there is other work. */
  async function compress(isIdle: () => boolean) {
    if (!isIdle()) return
    const start = performance.now()
    try {
      for (const network of listings.values()) await network.compress(isIdle)
    } catch (error) {
      observer.onCompressionFailed(error)
    }
    // While changes keep coming, every attempt would be discarded: wait longer before the next one.
    const spentMs = performance.now() - start
    idleMs = Math.min(isIdle() ? Math.max(spentMs, IDLE_MS_MIN) : 2 * idleMs, IDLE_MS_MAX)
  }

  function sleep(ms: number): Promise<void> {
    if (hasWork() || closed || ms <= 0) return Promise.resolve()
    return sleepUnlessClosed(ms, true)
  }

  function sleepUnlessClosed(ms: number, wakeable = false): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(finish, Math.min(Math.ceil(ms), SLEEP_MS_MAX))
      function finish() {
        clearTimeout(timer)
        wake = () => {}
        resolve()
      }
      wake = () => (wakeable || closed ? finish() : undefined)
    })
  }

  function addDirty(network: Network, addresses: Iterable<Address>) {
    const known = dirty.get(network) ?? new Set()
    for (const address of addresses) known.add(address)
    dirty.set(network, known)
  }

  function changed(network: Network, addresses: readonly Address[]) {
    addDirty(network, addresses)
    wake()
  }

  function caughtUp(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(CLOSED)
      waiting.push({ resolve, reject })
      wake()
    })
  }

  const done = keepInStep()

  return {
    of,
    changed,
    everythingChanged() {
      reload = true
      wake()
    },
    show(network, addresses) {
      changed(network, addresses)
      return caughtUp()
    },
    caughtUp,
    keep,
    async close() {
      closed = true
      wake()
      await done
      await kept?.close()
      for (const { reject } of waiting) reject(CLOSED)
    },
  }
}
