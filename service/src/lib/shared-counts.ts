/** A count of one process, and in how many milliseconds it ends. Without an end, it lasts as long as the process. */
export type SharedCount = [key: string, count: number, endsInMs?: number]

/** Counts that several processes share. Each knows its own at once, and the others' after a moment. */
export interface SharedCounts {
  /** Replaces what this process has counted. */
  set(key: string, count: number, endsMs?: number): void
  /** What the others have counted; undefined for nothing. */
  others(key: string): { count: number; endsMs: number } | undefined
  /** Takes what the others have counted. */
  receive(counts: readonly SharedCount[]): void
}

/** Counts are exchanged this often. Until then, each process can exceed a limit by what it has counted meanwhile. */
const SEND_MS = 100
const SWEEP_MS = 10_000

interface Count {
  count: number
  endsMs: number
}

/** The counts of one process. */
export function createSharedCounts(send: (counts: SharedCount[]) => void): SharedCounts {
  let changed = new Map<string, Count>()
  const others = new Map<string, Count>()
  setInterval(() => sweep(others), SWEEP_MS).unref()

  function flush() {
    const counts = changed
    changed = new Map()
    send([...counts].map(toMessage))
  }

  return {
    set(key, count, endsMs = Number.POSITIVE_INFINITY) {
      if (changed.size === 0) setTimeout(flush, SEND_MS).unref()
      changed.set(key, { count, endsMs })
    },
    others(key) {
      const found = others.get(key)
      return found && found.endsMs > performance.now() ? found : undefined
    },
    receive(counts) {
      for (const message of counts) others.set(message[0], fromMessage(message))
    },
  }
}

/** The counts of all processes. */
export function createCountExchange<Process>(
  listProcesses: () => Process[],
  send: (process: Process, counts: SharedCount[]) => void,
) {
  const byKey = new Map<string, Map<Process, Count>>()
  setInterval(() => {
    for (const [key, counts] of byKey) {
      sweep(counts)
      if (counts.size === 0) byKey.delete(key)
    }
  }, SWEEP_MS).unref()

  /** What all other processes have counted together, until the last of it ends. */
  function sumFor(process: Process, key: string): SharedCount {
    let sum = 0
    let endsMs = 0
    for (const [owner, count] of byKey.get(key) ?? [])
      if (owner !== process && count.endsMs > performance.now()) {
        sum += count.count
        endsMs = Math.max(endsMs, count.endsMs)
      }
    return toMessage([key, { count: sum, endsMs }])
  }

  const sendTo = (process: Process, keys: readonly string[]) => {
    if (keys.length > 0)
      send(
        process,
        keys.map(key => sumFor(process, key)),
      )
  }

  return {
    receive(from: Process, counts: readonly SharedCount[]) {
      for (const message of counts) {
        const known = byKey.get(message[0]) ?? new Map<Process, Count>()
        byKey.set(message[0], known.set(from, fromMessage(message)))
      }
      const keys = counts.map(([key]) => key)
      for (const process of listProcesses()) if (process !== from) sendTo(process, keys)
    },
    add: (process: Process) => sendTo(process, [...byKey.keys()]),
    /** What the process had open is closed. What it counted for a time stays until then. */
    remove(ended: Process) {
      const keys = [...byKey].flatMap(([key, counts]) =>
        counts.get(ended)?.endsMs === Number.POSITIVE_INFINITY && counts.delete(ended) ? [key] : [],
      )
      for (const process of listProcesses()) sendTo(process, keys)
    },
  }
}

/** Clocks of processes differ, so the end is sent as the time that is left. */
const toMessage = ([key, { count, endsMs }]: [string, Count]): SharedCount =>
  endsMs === Number.POSITIVE_INFINITY ? [key, count] : [key, count, endsMs - performance.now()]

const fromMessage = ([, count, endsInMs]: SharedCount): Count => ({
  count,
  endsMs: endsInMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + endsInMs,
})

function sweep(counts: Map<unknown, Count>) {
  const nowMs = performance.now()
  for (const [key, { count, endsMs }] of counts) if (endsMs <= nowMs || count === 0) counts.delete(key)
}
