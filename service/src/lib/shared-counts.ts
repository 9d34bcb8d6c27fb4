/** A count of one process, and the milliseconds until it ends. Without an end, it lasts as long as the process. */
type Message = [count: number, endsInMs?: number]

/** The counts of one process by key. */
export type OwnCounts = [key: string, ...Message][]
/** The counts of each other process by key. */
export type OthersCounts = [key: string, counts: Message[]][]

/** Counts that several processes share. Each process knows its own at once, and the others' after a moment. */
export interface SharedCounts {
  /** Replaces this process's count. */
  set(key: string, count: number, endsMs?: number): void
  /** What all other processes counted together. Undefined if they counted nothing. */
  others(key: string): Count | undefined
  /** Receives the counts of the others. */
  receive(counts: OthersCounts): void
}

/**
 * A process sends its counts this often, and gets those of all others this often. Until then, each can exceed a limit by what
 * it has counted meanwhile.
 */
const SEND_MS = 100
const PART_KEYS = 5_000
const SWEEP_MS = 10_000
/** Strangers choose the keys. Beyond this number, each process counts new keys only for itself. */
const KEYS_MAX = 500_000

interface Count {
  count: number
  endsMs: number
}

/** The counts of one process. */
export function createSharedCounts(send: (counts: OwnCounts) => void): SharedCounts {
  let changed = new Map<string, Count>()
  const others = new Map<string, Count[]>()
  setInterval(() => {
    for (const [key, counts] of others) if (!sumUp(counts)) others.delete(key)
  }, SWEEP_MS).unref()

  function flush() {
    const counts = changed
    changed = new Map()
    send([...counts].map(([key, count]) => [key, ...toMessage(count)]))
  }

  return {
    set(key, count, endsMs = Number.POSITIVE_INFINITY) {
      if (changed.size === 0) setTimeout(flush, SEND_MS).unref()
      changed.set(key, { count, endsMs })
    },
    others: key => sumUp(others.get(key) ?? []),
    receive(counts) {
      for (const [key, messages] of counts)
        if (messages.length === 0) others.delete(key)
        else others.set(key, messages.map(fromMessage))
    },
  }
}

/** The sum of the counts that have not ended, and the time until the last of them ends. */
function sumUp(counts: Iterable<Count>): Count | undefined {
  const nowMs = performance.now()
  let sum: Count | undefined
  for (const { count, endsMs } of counts)
    if (endsMs > nowMs && count > 0)
      sum = { count: (sum?.count ?? 0) + count, endsMs: Math.max(sum?.endsMs ?? 0, endsMs) }
  return sum
}

/** The counts of all processes. */
export function createCountExchange<Process>(
  listProcesses: () => Process[],
  send: (process: Process, counts: OthersCounts) => void,
) {
  const byKey = new Map<string, Map<Process, Count>>()
  setInterval(() => {
    for (const [key, counts] of byKey) if (!sumUp(counts.values())) byKey.delete(key)
  }, SWEEP_MS).unref()

  const listFor = (process: Process, key: string): Message[] =>
    [...(byKey.get(key) ?? [])].flatMap(([owner, count]) =>
      owner !== process && count.count > 0 && count.endsMs > performance.now() ? [toMessage(count)] : [],
    )

  /** What has changed since the last broadcast, and which process changed it. Undefined: several did. */
  let changed = new Map<string, Process | undefined>()

  function note(key: string, by?: Process) {
    if (changed.size === 0) setTimeout(broadcast, SEND_MS).unref()
    changed.set(key, changed.has(key) && changed.get(key) !== by ? undefined : by)
  }

  function broadcast() {
    const counts = [...changed]
    changed = new Map()
    for (const process of listProcesses())
      sendTo(
        process,
        counts.flatMap(([key, by]) => (by === process ? [] : [key])),
      )
  }

  /** In parts, so that this process can do something else in between. */
  function sendTo(process: Process, keys: readonly string[], from = 0) {
    if (from >= keys.length || !listProcesses().includes(process)) return
    const part = keys.slice(from, from + PART_KEYS)
    send(
      process,
      part.map(key => [key, listFor(process, key)]),
    )
    setImmediate(() => sendTo(process, keys, from + PART_KEYS))
  }

  return {
    receive(from: Process, counts: OwnCounts) {
      for (const [key, ...message] of counts) {
        const known = byKey.get(key) ?? new Map<Process, Count>()
        if (known.size === 0 && byKey.size >= KEYS_MAX) continue
        byKey.set(key, known.set(from, fromMessage(message)))
        note(key, from)
      }
    },
    add: (process: Process) => sendTo(process, [...byKey.keys()]),
    /** The streams of an ended process are closed, so they no longer count. Timed counts stay until they end. */
    remove(ended: Process) {
      for (const [key, counts] of byKey)
        if (counts.get(ended)?.endsMs === Number.POSITIVE_INFINITY && counts.delete(ended)) note(key)
    },
  }
}

/** The clocks of processes differ, so the time that is left is sent instead of the end. */
const toMessage = ({ count, endsMs }: Count): Message =>
  endsMs === Number.POSITIVE_INFINITY ? [count] : [count, endsMs - performance.now()]

const fromMessage = ([count, endsInMs]: Message): Count => ({
  count,
  endsMs: endsInMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + endsInMs,
})
