import { BLOCKS_TO_EXPIRY } from '@slipway/launch-model/expiry'
import { ServiceError } from '@slipway/schema/errors'
import { createLru } from '../lib/create-lru.ts'
import { pause } from '../lib/pause.ts'
import { createSteadyClock } from '../lib/steady-clock.ts'
import type { Blockhash, BlockhashSource } from './account-reader.ts'

export interface KeptBlockhash extends BlockhashSource {
  /**
   * Fetched after this call began (concurrent calls share one fetch), so it is at least as new as anything the caller
   * has read from the chain. With `than`, it waits for the next block if the blockhash is still that one.
   */
  newer(than?: Blockhash): Promise<Blockhash>
  /** Keeps the blockhash fresh in the background from now on. */
  start(): void
  stop(): void
}

export interface BlockhashOptions {
  /** At most; it is refreshed more often if slots are short. */
  refreshMs?: number
  /** Refreshing stops this long after the last use. */
  idleMs?: number
  clock?: () => number
}

/** An older blockhash is not returned, so that a transaction has 100 blocks to land. */
const AGE_SLOTS_MAX = BLOCKS_TO_EXPIRY / 3
const REFRESH_SLOTS = 20
/** A chain without a new block for so many pauses has stopped. */
const NEXT_BLOCK_TRIES = 20
const NEXT_BLOCK_PAUSE_MS = 100
const REQUESTS_MAX = 20_000

/**
 * The latest blockhash, shared by everything that builds transactions. It is refreshed at least every two seconds until
 * five minutes after its last use, so that an idle node does not run up a bill at its RPC provider. The first call after
 * that waits for one round trip.
 */
export function createBlockhashSource(
  rpc: { fetchLatestBlockhash(): Promise<Blockhash>; slotMs(): number },
  { refreshMs = 2_000, idleMs = 300_000, clock = createSteadyClock() }: BlockhashOptions = {},
): KeptBlockhash {
  let last: { blockhash: Blockhash; atMs: number } | undefined
  let pending: Promise<Blockhash> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let usedMs = Number.NEGATIVE_INFINITY
  /** The last blockhash of each request. A blockhash lives for seconds, so evicted entries do not matter. */
  const lastByRequest = createLru<string, string>(REQUESTS_MAX)

  const isTooOld = () => ageMs() > AGE_SLOTS_MAX * rpc.slotMs()
  const ageMs = () => (last ? clock() - last.atMs : Number.POSITIVE_INFINITY)

  async function fetchNewer(): Promise<Blockhash> {
    // Its age counts from the request, not from the response.
    const atMs = clock()
    const blockhash = await rpc.fetchLatestBlockhash()
    // A node that lags must not shorten the time to land, unless our blockhash has expired.
    // One that is far older shows that ours came from another chain.
    const blocksBehind = (last?.blockhash.lastValidBlockHeight ?? 0) - blockhash.lastValidBlockHeight
    if (last && blocksBehind > 0 && blocksBehind < BLOCKS_TO_EXPIRY && !isTooOld()) return last.blockhash
    last = { blockhash, atMs }
    return blockhash
  }

  /** Concurrent calls share one fetch. The next refresh is scheduled when it has settled. */
  function refresh(): Promise<Blockhash> {
    clearTimeout(timer)
    timer = undefined
    pending ??= fetchNewer().finally(() => {
      pending = undefined
      schedule()
    })
    return pending
  }

  function schedule() {
    if (!isStarted || timer || clock() - usedMs > idleMs) return
    timer = setTimeout(refreshQuietly, Math.min(refreshMs, REFRESH_SLOTS * rpc.slotMs())).unref()
  }

  /** A caller that needs a blockhash will see the failure itself, and the RPC client has reported it. */
  const refreshQuietly = () => void refresh().catch(() => {})

  async function latest(): Promise<Blockhash> {
    const isAwake = timer !== undefined || pending !== undefined
    usedMs = clock()
    if (!last || isTooOld()) return refresh()
    if (isStarted && !isAwake) refreshQuietly()
    return last.blockhash
  }

  async function newer(than?: Blockhash): Promise<Blockhash> {
    usedMs = clock()
    // A fetch that is already pending may have begun too early.
    await pending?.catch(() => {})
    for (let tries = 0; tries < NEXT_BLOCK_TRIES; tries += 1) {
      const fetched = await refresh()
      if (fetched.blockhash !== than?.blockhash) return fetched
      await pause(Math.max(NEXT_BLOCK_PAUSE_MS, rpc.slotMs() / 4))
    }
    throw new ServiceError('SERVICE_UNAVAILABLE', { cause: new Error('the chain produces no new blocks') })
  }

  return {
    latest,
    newer,
    async latestFor(request) {
      const kept = await latest()
      // This does not wait for the next block, because a caller that repeats one request would wait every time.
      const isRepeat = lastByRequest.get(request) === kept.blockhash && ageMs() >= rpc.slotMs()
      const chosen = isRepeat ? await newer() : kept
      lastByRequest.set(request, chosen.blockhash)
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
