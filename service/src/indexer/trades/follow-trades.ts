import type { LandedTransaction } from '@slipway/launch-model/history/transaction'
import type { Address } from '@slipway/schema/address'
import { LRUCache } from 'lru-cache'
import { pause } from '../../lib/pause.ts'
import { saveTradeReading } from '../../store/trade-progress.ts'
import { createLaunchPools } from './launch-pools.ts'
import { type ReadLaunchParts, readLaunch } from './read-launch.ts'
import { createRpcBudget } from './rpc-budget.ts'
import { createTurns } from './turns.ts'

export interface TradesObserver {
  /** A request to an RPC endpoint is about to be sent. */
  onRequest(): void
  onStored(count: number): void
  onFault(error: unknown): void
}

interface FollowTradesParts
  extends Omit<ReadLaunchParts, 'budget' | 'landed' | 'lastRead' | 'pools' | 'watched'> {
  rpc: ReadLaunchParts['rpc'] & Parameters<typeof createLaunchPools>[0]['rpc']
  /** The registered launches; the set grows. */
  launches: ReadonlySet<Address>
  limits: TradesLimits
  observer: TradesObserver
  signal: AbortSignal
}

export interface TradesLimits {
  /** RPC requests for trades, per second and network; 0 reads none. */
  tradesPerSecond: number
  /** Pause before a launch is looked at again. It doubles while nothing happens. */
  tradesMs: number
  /** How often a node records that it reads trades. */
  tradesAliveMs: number
}

export interface FollowedTrades {
  /** A bucket of the launch has changed, so the launch may have new transactions. */
  report(launch: Address): void
  /** Runs until the signal. */
  run(): Promise<void>
}

/** How long to wait for something to do before looking for new launches. */
const IDLE_MS_MAX = 1_000
/**
 * An endpoint that refuses several requests in a row is not used for a while, for anything. To prevent that, reading
 * trades pauses as soon as a second launch is refused.
 */
const REFUSED_MS = 10_000
/** If no turn succeeds or a launch waits for this many times `tradesAliveMs`, trades are not being read. */
const LATE_TIMES = 3

/** A transaction that trades takes about 15 KiB. Strangers choose how large others are. */
const LANDED_BYTES_MAX = 16 * 1024 * 1024
/** Measured: a call with its data as text and as bytes, a key, and an entry per account created or held. */
const [CALL_BYTES, KEY_BYTES, ENTRY_BYTES] = [800, 64, 56]

const createLanded = () =>
  new LRUCache<string, LandedTransaction>({
    maxSize: LANDED_BYTES_MAX,
    // Reading the data of calls would decode it.
    sizeCalculation({ calls, created, held }) {
      const keys = new Set(calls.flatMap(({ program, accounts }) => [program, ...accounts]))
      return calls.reduce(
        (bytes, { accounts }) => bytes + CALL_BYTES + 8 * accounts.length,
        1_000 + keys.size * KEY_BYTES + (created.size + held.size) * (KEY_BYTES + ENTRY_BYTES),
      )
    },
  })

/** Reads the trades of all registered launches of a network from their transactions, one launch after another. */
export function followTrades(parts: FollowTradesParts): FollowedTrades {
  const { network, database, launches, limits, observer, signal } = parts
  const budget = createRpcBudget(limits.tradesPerSecond, { onRequest: observer.onRequest, signal })
  const pools = createLaunchPools({ network, rpc: parts.rpc, budget })
  const turns = createTurns(limits.tradesMs)
  const landed = createLanded()
  const lastRead = {}
  const watched = new Map<Address, number>()
  let wake = new AbortController()
  /** When a turn last succeeded. */
  let readAtMs = performance.now()
  /** The launch of the last turn, if that was refused. */
  let refused: Address | undefined

  async function readNext(launch: Address) {
    try {
      const turn = await readLaunch({ ...parts, budget, landed, lastRead, pools, watched }, launch)
      if (turn && turn.stored > 0) observer.onStored(turn.stored)
      if (turn?.fault) throw turn.fault
      readAtMs = performance.now()
      if (turn?.isRefused) return await endRefused(launch)
      turns.ended(launch, turn)
      refused = undefined
    } catch (error) {
      turns.failed(launch, 'failed')
      if (!signal.aborted) observer.onFault(error)
    }
  }

  async function endRefused(launch: Address) {
    turns.failed(launch, 'refused')
    const isOften = refused !== undefined && refused !== launch
    refused = launch
    if (isOften) await pause(REFUSED_MS, signal)
  }

  async function readForEver() {
    while (!signal.aborted) {
      turns.add(launches)
      const { launch, waitMs } = turns.next()
      if (launch) await readNext(launch)
      else {
        wake = new AbortController()
        await pause(Math.min(waitMs, IDLE_MS_MAX), AbortSignal.any([signal, wake.signal]))
      }
    }
  }

  async function sayAlive() {
    while (!signal.aborted) {
      if (launches.size === 0) readAtMs = performance.now()
      const silentMs = performance.now() - readAtMs
      if (Math.max(silentMs, turns.overdueMs()) <= LATE_TIMES * limits.tradesAliveMs)
        await saveTradeReading(database, network).catch(error => signal.aborted || observer.onFault(error))
      if (silentMs >= limits.tradesAliveMs) turns.probe()
      await pause(limits.tradesAliveMs, signal)
    }
  }

  return {
    report(launch) {
      turns.hint(launch)
      wake.abort()
    },
    async run() {
      if (limits.tradesPerSecond > 0) await Promise.all([readForEver(), sayAlive()])
    },
  }
}
