interface PacedQueue<Item> {
  add(item: Item): void
}

const INTERVAL_MS = 10
const PER_INTERVAL = 5
const INTERVALS_MAX = 100
/** Bounds the memory: further items are sent at once. */
const WAITING_MAX = 5_000

/**
 * Sends items at a steady pace: every 10 ms the oldest five, or a hundredth of those that wait if that is more. While as many
 * are added as are sent, each waits a second at most. The last of a burst of thousands waits three.
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
