import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Blockhash, BlockhashSource } from './account-reader.ts'

export interface KeptBlockhash extends BlockhashSource {
  /**
   * One that is fetched for this call, or for all who came at the same time. It is as young as all that was read of the
   * chain before. Another one `than` this: then the next block is waited for where it must be.
   */
  newer(than?: Blockhash): Promise<Blockhash>
  /** From now on it is kept fresh in the background. */
  start(): void
  stop(): void
}

export interface BlockhashOptions {
  refreshMs?: number
  /** Older than this, it is not given out; a transaction has 60 to 90 seconds to land. */
  ageMsMax?: number
  /** So long after the last use it is no longer refreshed. */
  idleMs?: number
  clock?: () => number
}

/** A block comes every 400 ms; before that, there is no other blockhash to be had. A chain that makes none for seconds has stopped. */
const BLOCK_MS = 400
const NEXT_BLOCK_TRIES = 20
const NEXT_BLOCK_PAUSE_MS = 100
const REQUESTS_MAX = 20_000

/**
 * The latest blockhash, shared by all who build transactions. It is refreshed every two seconds while there is someone
 * who uses it, and for five minutes after: a node that nobody asks does not run up a bill at its RPC provider. Who
 * comes after that waits for one round trip.
 */
export function createBlockhashSource(
  rpc: { fetchLatestBlockhash(): Promise<Blockhash> },
  {
    refreshMs = 2_000,
    ageMsMax = 20_000,
    idleMs = 300_000,
    clock = () => performance.now(),
  }: BlockhashOptions = {},
): KeptBlockhash {
  let last: { blockhash: Blockhash; atMs: number } | undefined
  let flight: Promise<Blockhash> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let usedMs = Number.NEGATIVE_INFINITY
  /** What each request was last given. One is kept for seconds only: what falls out of here is long on another. */
  const given = new LRUCache<string, string>({ max: REQUESTS_MAX })

  const ageMs = () => (last ? clock() - last.atMs : Number.POSITIVE_INFINITY)

  async function fetchNewer(): Promise<Blockhash> {
    // It may be as old as the question, not as young as the answer.
    const atMs = clock()
    const blockhash = await rpc.fetchLatestBlockhash()
    // A node that lags must not shorten anyone's time; only when ours is worth nothing any more, any other will do.
    const isOlder = last && blockhash.lastValidBlockHeight < last.blockhash.lastValidBlockHeight
    if (last && isOlder && ageMs() <= ageMsMax) return last.blockhash
    last = { blockhash, atMs }
    return blockhash
  }

  /** One flight for all; the next one is planned when it is over, whatever came of it. */
  function refresh(): Promise<Blockhash> {
    clearTimeout(timer)
    timer = undefined
    flight ??= fetchNewer().finally(() => {
      flight = undefined
      plan()
    })
    return flight
  }

  function plan() {
    if (!isStarted || timer || clock() - usedMs > idleMs) return
    timer = setTimeout(refreshQuietly, refreshMs).unref()
  }

  /** Whoever needs one meets the failure himself, and the RPC's observer has been told. */
  const refreshQuietly = () => void refresh().catch(() => {})

  async function latest(): Promise<Blockhash> {
    const isAwake = timer !== undefined || flight !== undefined
    usedMs = clock()
    if (!last || ageMs() > ageMsMax) return refresh()
    if (isStarted && !isAwake) refreshQuietly()
    return last.blockhash
  }

  async function newer(than?: Blockhash): Promise<Blockhash> {
    usedMs = clock()
    // What is under way may have been asked for too early.
    await flight?.catch(() => {})
    for (let tries = 0; tries < NEXT_BLOCK_TRIES; tries += 1) {
      const fetched = await refresh()
      if (fetched.blockhash !== than?.blockhash) return fetched
      await sleep(NEXT_BLOCK_PAUSE_MS)
    }
    throw new Error('the chain makes no new blocks')
  }

  return {
    latest,
    newer,
    async latestFor(request) {
      const kept = await latest()
      // Nobody waits for the next block here: whoever sends one request again and again would do little else.
      const isRepeat = given.get(request) === kept.blockhash && ageMs() >= BLOCK_MS
      const chosen = isRepeat ? await newer() : kept
      given.set(request, chosen.blockhash)
      return chosen
    },
    start() {
      isStarted = true
      usedMs = clock()
      refreshQuietly()
    },
    stop() {
      isStarted = false
      clearTimeout(timer)
      timer = undefined
    },
  }
}
