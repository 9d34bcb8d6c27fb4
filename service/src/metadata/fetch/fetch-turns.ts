import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { LRUCache } from 'lru-cache'
import { createLru } from '../../lib/create-lru.ts'
import { DocumentRefused, type DocumentResult } from '../fetched-document.ts'

interface TurnLimits {
  /** Concurrent fetches: in total, of one site or one owner, and of one gateway. */
  slots: number
  perSite: number
  perGateway: number
  /** How many may wait for a turn, and for how long. */
  waitingMax: number
  waitMsMax?: number | undefined
  /** How long a fetch can take. */
  fetchMsMax: number
}

/** Whose turn a fetch takes. */
export interface Turn {
  site: string
  /** A gateway serves the documents of many people, so one that never answers says nothing about the gateway. */
  isGateway?: boolean
  /** Who put the URI on the chain. */
  owner?: string | undefined
}

interface FetchTurns {
  /** Runs the work when it is its turn. Rejects with a `DocumentRefused` if it gets none. */
  run(turn: Turn, work: () => Promise<DocumentResult>): Promise<DocumentResult>
  /** Rejects everything that waits. */
  close(): void
}

/** Sites and owners whose last document timed out. */
export type Silent = LRUCache<string, true>

const SILENT_MS = 600_000
/** A site or an owner had a turn if its last fetch started or ended this recently. */
const RECENT_MS = 1_000
const KEYS_MAX = 10_000

export const createSilent = (): Silent => createLru(KEYS_MAX, { ttl: SILENT_MS })

interface Waiter {
  turn: Turn
  start(): void
  refuse(refused: DocumentRefused): void
}

const ALL = 'all'
const siteKey = ({ site }: Turn) => `site ${site}`
const ownerKey = ({ owner }: Turn) => `owner ${owner}`

/**
 * Decides which fetch is next, so that documents that never answer delay nobody else's for long:
 * - a site or an owner has a few slots, and one slot after a timeout, until it answers again;
 * - sites that answer go first, then those that had no turn lately, and then the newest. Otherwise a thousand documents
 *   that hang would have to time out before the next one;
 * - the second half of the slots is handed out at intervals, so that one becomes free every so often even if all hang.
 */
export function createFetchTurns(limits: TurnLimits, silent = createSilent()): FetchTurns {
  const running = new Map<string, number>()
  /** When the next one of the second half of the slots may start. */
  const spacedUntilMs = new Map<string, number>()
  const recent = createLru<string, number>(KEYS_MAX, { ttl: RECENT_MS })
  /** The oldest first. */
  const waiting: Waiter[] = []
  let turns = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  /** Not of an owner: an agent with a document that hangs can be transferred to anyone. */
  const isSilent = (turn: Turn) => silent.has(siteKey(turn))
  const countOf = (key: string) => running.get(key) ?? 0
  const maxOf = (key: string) => (silent.has(key) ? 1 : limits.perSite)
  const hasSpacedSlot = (key: string, max: number) =>
    countOf(key) < max && (countOf(key) < max / 2 || performance.now() >= (spacedUntilMs.get(key) ?? 0))

  const mayStart = (turn: Turn) =>
    hasSpacedSlot(ALL, limits.slots) &&
    (turn.isGateway
      ? hasSpacedSlot(siteKey(turn), limits.perGateway)
      : countOf(siteKey(turn)) < maxOf(siteKey(turn))) &&
    (turn.owner === undefined || countOf(ownerKey(turn)) < maxOf(ownerKey(turn)))

  /** `change` is 1 to take a slot, -1 to release it. */
  function count(turn: Turn, change: 1 | -1) {
    turns += 1
    for (const key of [ALL, siteKey(turn), ...(turn.owner === undefined ? [] : [ownerKey(turn)])]) {
      const next = countOf(key) + change
      if (next > 0) running.set(key, next)
      else running.delete(key)
      if (key !== ALL) recent.set(key, turns)
    }
    if (change === -1) return
    space(ALL, limits.slots)
    if (turn.isGateway) space(siteKey(turn), limits.perGateway)
  }

  function space(key: string, max: number) {
    if (countOf(key) > max / 2) spacedUntilMs.set(key, performance.now() + limits.fetchMsMax / (max / 2))
    else spacedUntilMs.delete(key)
  }

  /** Whether the first goes before the second, which is older. */
  function isBefore({ turn: one }: Waiter, { turn: other }: Waiter): boolean {
    const recentOf = (key: string) => recent.get(key) ?? 0
    const order =
      Number(isSilent(one)) - Number(isSilent(other)) ||
      recentOf(ownerKey(one)) - recentOf(ownerKey(other)) ||
      recentOf(siteKey(one)) - recentOf(siteKey(other))
    return order <= 0
  }

  function startWaiting() {
    clearTimeout(timer)
    for (;;) {
      let next: Waiter | undefined
      for (const waiter of waiting)
        if (mayStart(waiter.turn) && (!next || isBefore(waiter, next))) next = waiter
      if (!next) break
      remove(next)
      count(next.turn, 1)
      next.start()
    }
    if (waiting.length === 0) return
    const nowMs = performance.now()
    const restsMs = [...spacedUntilMs.values()].map(untilMs => untilMs - nowMs).filter(restMs => restMs > 0)
    if (restsMs.length > 0) timer = setTimeout(startWaiting, Math.ceil(Math.min(...restsMs))).unref()
  }

  const remove = (waiter: Waiter) => void waiting.splice(waiting.indexOf(waiter), 1)

  /** Makes room for a newer one. A document of a silent site is refused like one that timed out. */
  function dropLast() {
    let last = waiting[0] as Waiter
    for (const waiter of waiting) if (!isBefore(waiter, last)) last = waiter
    remove(last)
    last.refuse(new DocumentRefused(isSilent(last.turn) ? 'timeout' : 'busy', 'queue'))
  }

  /** Resolves once a slot has been taken. */
  function waitForTurn(turn: Turn): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        turn,
        start() {
          clearTimeout(patience)
          resolve()
        },
        refuse(refused) {
          clearTimeout(patience)
          reject(refused)
        },
      }
      const giveUp = () => {
        remove(waiter)
        waiter.refuse(new DocumentRefused('busy', 'wait'))
      }
      const patience = limits.waitMsMax === undefined ? undefined : setTimeout(giveUp, limits.waitMsMax)
      waiting.push(waiter)
      if (waiting.length > limits.waitingMax) dropLast()
      // Otherwise the timer is set already.
      if (waiting.length === 1 || mayStart(turn)) startWaiting()
    })
  }

  function note(turn: Turn, result: DocumentResult) {
    const isTimeout = !result.ok && result.reason === 'timeout'
    const keys = [
      ...(turn.isGateway ? [] : [siteKey(turn)]),
      ...(turn.owner === undefined ? [] : [ownerKey(turn)]),
    ]
    for (const key of keys)
      if (isTimeout) silent.set(key, true)
      else silent.delete(key)
  }

  return {
    async run(turn, work) {
      if (isClosed) throw new DocumentRefused('stopped')
      if (waiting.length === 0 && mayStart(turn)) count(turn, 1)
      else await waitForTurn(turn)
      try {
        const result = await work()
        note(turn, result)
        return result
      } finally {
        count(turn, -1)
        startWaiting()
      }
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const waiter of waiting.splice(0)) waiter.refuse(new DocumentRefused('stopped'))
    },
  }
}

/**
 * The name under which hosts take turns. One wildcard DNS record yields any number of names, so all names of a domain
 * count as one site, as do neighbouring IPv4 addresses and the IPv6 addresses that one customer gets. Without the public
 * suffix list this is a guess; a wrong guess only makes unrelated hosts share a few slots.
 */
export function siteOf(host: string): string {
  if (isIP(host) === 4) return host.split('.').slice(0, 3).join('.')
  if (isIP(host) === 6) return ipaddr.IPv6.parse(host).parts.slice(0, 3).join(':')
  const labels = host.replace(/\.$/, '').split('.')
  const [second = '', top = ''] = labels.slice(-2)
  // As in co.uk or com.br, where the registered name is one label further left.
  const suffix = top.length === 2 && second.length <= 3 ? 3 : 2
  return labels.slice(-suffix).join('.')
}
