import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { DocumentRefused } from '../fetched-document.ts'

interface SlotLimits {
  /** Concurrent fetches: in total, and per site. */
  total: number
  perSite: number
  /** How many of the total background fetches may use. The rest is for callers that wait. */
  backgroundMax: number
  /** How many may wait for a slot, in total and per site. Foreground and background count separately. */
  waitingMax: number
  waitingPerSiteMax: number
  /** How long a foreground fetch waits for a slot. A background fetch has no limit. */
  waitMsMax: number
}

interface FetchSlots {
  /** Runs the work once a slot is free. Rejects with `busy` if the queue is full or the wait takes too long. */
  run<T>(site: string, work: () => Promise<T>, options: { background: boolean; perSite?: number }): Promise<T>
  /** Rejects everything that waits. */
  close(): void
}

interface Waiter {
  perSite: number
  start(): void
  refuse(failure: DocumentRefused): void
}

/** Sites in the order of their turns, each with its waiters in order of arrival. */
type Queue = Map<string, Waiter[]>

/** Hands out slots to sites in turn, so that a site with a long queue delays only itself. Foreground goes first. */
export function createFetchSlots(limits: SlotLimits): FetchSlots {
  const foreground: Queue = new Map()
  const background: Queue = new Map()
  const runningBySite = new Map<string, number>()
  let running = 0
  let runningInBackground = 0
  let isClosed = false

  const hasSlot = (site: string, queue: Queue, perSite: number) =>
    running < limits.total &&
    (runningBySite.get(site) ?? 0) < perSite &&
    (queue === foreground || runningInBackground < limits.backgroundMax)

  /** `change` is 1 to take a slot, -1 to release it. */
  function count(site: string, queue: Queue, change: 1 | -1) {
    running += change
    if (queue === background) runningInBackground += change
    const ofSite = (runningBySite.get(site) ?? 0) + change
    if (ofSite > 0) runningBySite.set(site, ofSite)
    else runningBySite.delete(site)
  }

  function startNext(queue: Queue): boolean {
    for (const [site, [first, ...others]] of queue) {
      if (!first || !hasSlot(site, queue, first.perSite)) continue
      // The site's next turn comes after everyone else's.
      queue.delete(site)
      if (others.length > 0) queue.set(site, others)
      count(site, queue, 1)
      first.start()
      return true
    }
    return false
  }

  function release(site: string, queue: Queue) {
    count(site, queue, -1)
    while (startNext(foreground) || startNext(background));
  }

  /** Resolves once a slot has been taken. */
  function waitForSlot(site: string, queue: Queue, perSite: number): Promise<void> {
    const neighbours = queue.get(site)?.length ?? 0
    if (neighbours >= limits.waitingPerSiteMax || lengthOf(queue) >= limits.waitingMax)
      return Promise.reject(new DocumentRefused('busy', 'queue'))
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        perSite,
        start() {
          clearTimeout(timer)
          resolve()
        },
        refuse(failure) {
          clearTimeout(timer)
          reject(failure)
        },
      }
      const giveUp = () => {
        const others = queue.get(site)?.filter(other => other !== waiter) ?? []
        if (others.length > 0) queue.set(site, others)
        else queue.delete(site)
        waiter.refuse(new DocumentRefused('busy', 'wait'))
      }
      const timer = queue === foreground ? setTimeout(giveUp, limits.waitMsMax) : undefined
      queue.set(site, [...(queue.get(site) ?? []), waiter])
    })
  }

  return {
    async run(site, work, { background: isBackground, perSite = limits.perSite }) {
      if (isClosed) throw new DocumentRefused('stopped')
      const queue = isBackground ? background : foreground
      // A freed slot goes to a waiter at once, so no waiter could use the one that is free here.
      if (hasSlot(site, queue, perSite)) count(site, queue, 1)
      else await waitForSlot(site, queue, perSite)
      try {
        return await work()
      } finally {
        release(site, queue)
      }
    },
    close() {
      isClosed = true
      for (const queue of [foreground, background]) {
        for (const waiter of [...queue.values()].flat()) waiter.refuse(new DocumentRefused('stopped'))
        queue.clear()
      }
    },
  }
}

function lengthOf(queue: Queue): number {
  let length = 0
  for (const waiters of queue.values()) length += waiters.length
  return length
}

/**
 * The key under which hosts share slots. One wildcard DNS record yields any number of names, so all names of a domain
 * count as one site, as do the IPv6 addresses that one customer gets. Without the public suffix list this is a guess;
 * a wrong guess only makes unrelated hosts share a few slots.
 */
export function siteOf(host: string): string {
  if (isIP(host) === 4) return host
  if (isIP(host) === 6) return ipaddr.IPv6.parse(host).parts.slice(0, 3).join(':')
  const labels = host.replace(/\.$/, '').split('.')
  const [second = '', top = ''] = labels.slice(-2)
  // As in co.uk or com.br, where the registered name is one label further left.
  const suffix = top.length === 2 && second.length <= 3 ? 3 : 2
  return labels.slice(-suffix).join('.')
}
