import { DocumentRefused } from './document-result.ts'

export interface SlotLimits {
  /** Fetches at a time, in all and for one site. */
  total: number
  perSite: number
  /** Of all, those that may be background work: the rest is kept for callers who wait. */
  backgroundMax: number
  /** Who may wait for a place, in each of the two lanes, in all and for one site. */
  waitingMax: number
  waitingPerSiteMax: number
  /** How long a caller waits for a place. Background work waits as long as it takes. */
  waitMsMax: number
}

export interface FetchSlots {
  /** Runs the work when there is a place for it; rejects with `busy` when there is not even one to wait. */
  run<T>(site: string, work: () => Promise<T>, options: { background: boolean; perSite?: number }): Promise<T>
  stats(): { running: number; waiting: number }
  /** Turns away everyone who waits. */
  close(): void
}

interface Waiter {
  start(): void
  refuse(reason: 'busy' | 'stopped'): void
  background: boolean
  perSite: number
}

/** Places for fetches, handed out to sites in turn: a site with a long queue delays only itself. */
export function createFetchSlots(limits: SlotLimits): FetchSlots {
  const running = new Map<string, number>()
  // In the order of their turns.
  const waiting = new Map<string, Waiter[]>()
  const waitingIn = { foreground: 0, background: 0 }
  let runningAll = 0
  let runningBackground = 0
  let closed = false

  const hasPlace = (site: string, { background, perSite }: Pick<Waiter, 'background' | 'perSite'>) =>
    runningAll < limits.total &&
    (running.get(site) ?? 0) < perSite &&
    (!background || runningBackground < limits.backgroundMax)

  function take(site: string, background: boolean) {
    runningAll += 1
    if (background) runningBackground += 1
    running.set(site, (running.get(site) ?? 0) + 1)
  }

  function giveBack(site: string, background: boolean) {
    runningAll -= 1
    if (background) runningBackground -= 1
    const left = (running.get(site) ?? 0) - 1
    if (left > 0) running.set(site, left)
    else running.delete(site)
    startNext()
  }

  function startNext() {
    while (startOne(false) || startOne(true));
  }

  function startOne(background: boolean): boolean {
    for (const [site, waiters] of waiting) {
      const waiter = waiters.find(other => other.background === background)
      if (!waiter || !hasPlace(site, waiter)) continue
      leave(site, waiter)
      // To the end of the line.
      const others = waiting.get(site)
      if (others) {
        waiting.delete(site)
        waiting.set(site, others)
      }
      take(site, background)
      waiter.start()
      return true
    }
    return false
  }

  function leave(site: string, waiter: Waiter) {
    const waiters = waiting.get(site) ?? []
    waiters.splice(waiters.indexOf(waiter), 1)
    if (waiters.length === 0) waiting.delete(site)
    waitingIn[waiter.background ? 'background' : 'foreground'] -= 1
  }

  /** Resolves when a place was taken. */
  function waitForPlace(site: string, background: boolean, perSite: number): Promise<void> {
    const lane = background ? 'background' : 'foreground'
    const neighbours = waiting.get(site)?.filter(other => other.background === background).length ?? 0
    if (waitingIn[lane] >= limits.waitingMax || neighbours >= limits.waitingPerSiteMax) {
      return Promise.reject(new DocumentRefused('busy', 'queue'))
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        background,
        perSite,
        start() {
          clearTimeout(timer)
          resolve()
        },
        refuse(reason) {
          clearTimeout(timer)
          reject(new DocumentRefused(reason))
        },
      }
      const timer = background
        ? undefined
        : setTimeout(() => {
            leave(site, waiter)
            reject(new DocumentRefused('busy', 'wait'))
          }, limits.waitMsMax)
      const waiters = waiting.get(site)
      if (waiters) waiters.push(waiter)
      else waiting.set(site, [waiter])
      waitingIn[lane] += 1
    })
  }

  return {
    async run(site, work, { background, perSite = limits.perSite }) {
      if (closed) throw new DocumentRefused('stopped')
      // Places are handed out as soon as they are free, so that whoever finds one passes nobody who could have used it.
      if (hasPlace(site, { background, perSite })) take(site, background)
      else await waitForPlace(site, background, perSite)
      try {
        return await work()
      } finally {
        giveBack(site, background)
      }
    },
    stats: () => ({ running: runningAll, waiting: waitingIn.foreground + waitingIn.background }),
    close() {
      closed = true
      for (const waiters of waiting.values()) for (const waiter of waiters) waiter.refuse('stopped')
      waiting.clear()
      waitingIn.foreground = 0
      waitingIn.background = 0
    },
  }
}
