import { setImmediate as nextTurn } from 'node:timers/promises'

/** The event loop continues after this time, so that requests are answered while there is much to do. */
const TURN_MS = 8
/** Reading the time after every item would cost more than many an item. */
const ITEMS_PER_LOOK = 64

/** For all calls: several that follow one another, or run at the same time, share a turn. */
let turnStartMs = Number.NEGATIVE_INFINITY
let waiting: Promise<void> | undefined

function startTurn(): Promise<void> {
  waiting ??= nextTurn().then(() => {
    turnStartMs = performance.now()
    waiting = undefined
  })
  return waiting
}

/** Handles every item in order. With very many, other work gets its turn in between. */
export async function eachInTurns<Item>(items: Iterable<Item>, handle: (item: Item) => void): Promise<void> {
  let handled = 0
  for (const item of items) {
    handle(item)
    handled += 1
    if (handled % ITEMS_PER_LOOK !== 0 || performance.now() - turnStartMs < TURN_MS) continue
    await startTurn()
  }
}
