interface PacedQueue<Item> {
  add(item: Item): void
}

const INTERVAL_MS = 10
const PER_INTERVAL = 5
const INTERVALS_MAX = 100
/** Bounds the memory: further items are sent at once. */
const WAITING_MAX = 5_000

/**
 * Sends items at a steady pace: every 10 ms, the five oldest or a hundredth of those waiting, whichever is
 * more. At a steady load, an item waits a second at most. The last item of a burst of thousands waits about
 * three.
 */
export function createPacedQueue<Item>(send: (item: Item) => void): PacedQueue<Item> {
  const waiting: Item[] = []

  function sendOldest() {
    const oldest = waiting.splice(0, Math.max(PER_INTERVAL, waiting.length / INTERVALS_MAX))
    if (waiting.length > 0) setTimeout(sendOldest, INTERVAL_MS)
    for (const item of oldest) send(item)
  }

  return {
    add(item) {
      if (waiting.length >= WAITING_MAX) return send(item)
      if (waiting.push(item) === 1) setTimeout(sendOldest, INTERVAL_MS)
    },
  }
}
