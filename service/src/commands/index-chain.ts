import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '@slipway/schema/network'
import { RpcError } from '../chain/rpc/fault.ts'
import type { Config } from '../config.ts'
import { indexNetworkOnce } from '../indexer/reading/full-read.ts'
import { OperatorError } from '../operator-error.ts'
import { findProgress, requestFullRead } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import type { IndexLease } from '../store/index-lease.ts'
import type { Log } from '../telemetry/log.ts'
import { parseArguments, usageError } from './arguments.ts'
import { auditedChange } from './audited-change.ts'
import { withStore } from './open-store.ts'
import { assertLease, tryLease } from './try-lease.ts'
import { createNetworkRpc, RPC_VARIABLES } from './with-chain.ts'

const WATCH_INTERVAL_MS = 500
/** After this many looks at another process's progress, check whether that process is still running. */
const LOOKS_PER_LEASE_TRY = 6

/** Reads a chain into the store. If another process indexes the network, shows that process's progress instead. */
export async function indexChain(args: string[], config: Config): Promise<void> {
  const { positionals, network, flags } = parseArguments(args, ['from-scratch', 'accept-removals'])
  if (positionals.length > 0) throw usageError('index-chain takes options only')
  const acceptsRemovals = flags.has('accept-removals')
  const { signal, interrupted } = listenForInterrupt()
  const bar = createProgressBar(process.stderr, network)
  try {
    await withStore(config, async ({ database, connection, log, shutdown }) => {
      const work = async () => {
        let lease = acceptsRemovals
          ? await assertLease(database, connection, network)
          : await tryLease(connection, network)
        for (const flag of flags)
          await auditedChange(
            database,
            { command: `index-chain --${flag}`, network, subject: 'everything' },
            tx => (flag === 'from-scratch' ? requestFullRead(tx, network) : Promise.resolve()),
          )
        // The other process may stop at any time; then the lease is free.
        while (!lease && !(await watch(database, network, bar, signal)))
          lease = await tryLease(connection, network)
        if (!lease) return
        shutdown.add('lease', lease.release)
        await readHere(config, network, lease, { bar, signal, log, acceptsRemovals })
      }
      await Promise.race([work(), interrupted])
    })
  } catch (error) {
    if (!signal.aborted) throw error
    bar.finish(`${network}: stopped. What was read is stored; the next run continues from there.`)
    process.exitCode = 130
  }
}

/** The first signal stops the command cleanly, the second ends it at once. */
function listenForInterrupt(): { signal: AbortSignal; interrupted: Promise<never> } {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
  const interrupted = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(new Error('interrupted')))
  })
  interrupted.catch(() => {})
  return { signal: stop.signal, interrupted }
}

async function readHere(
  { rpcUrls }: Config,
  network: Network,
  { database, lost }: IndexLease,
  {
    bar,
    signal,
    log,
    acceptsRemovals,
  }: { bar: ProgressBar; signal: AbortSignal; log: Log; acceptsRemovals: boolean },
): Promise<void> {
  const urls = rpcUrls[network]
  if (urls.length === 0)
    throw new OperatorError(
      `No RPC is configured for ${network}. Set ${RPC_VARIABLES[network]}. (Embedded chains are indexed by the running service.)`,
    )
  const rpc = createNetworkRpc(urls, database, network)
  try {
    const { slot, accounts } = await indexNetworkOnce({
      network,
      rpc,
      database,
      signal: AbortSignal.any([lost, signal]),
      acceptsRemovals,
      onHeld: ({ kind, missing, total }) =>
        log.warn(
          { network, kind, missing, total },
          'too many accounts are missing on the chain: nothing was removed (--accept-removals removes them)',
        ),
      onRemoved: (kind, addresses) =>
        log.warn(
          { network, kind, addresses },
          'removed accounts from the index: the chain no longer has them',
        ),
      onShare: share => signal.aborted || bar.show(share),
      onRefused: (address, error) =>
        log.error({ err: error, address }, 'skipped an account that the store rejects'),
    })
    bar.finish(`${network}: read ${accounts} accounts; the store is up to date with slot ${slot}`)
  } catch (error) {
    const next = 'Run the command again to continue.'
    if (lost.aborted) throw new OperatorError(`The connection to the database was lost. ${next}`)
    if (error instanceof RpcError && error.kind === 'foreign')
      throw new OperatorError(
        `The chain was not read: ${error.message}. Check ${RPC_VARIABLES[network]}, or see "slipway cluster show".`,
        { cause: error },
      )
    if (error instanceof RpcError)
      throw new OperatorError(`The chain could not be read: ${error.message}. ${next}`, { cause: error })
    throw error
  } finally {
    await rpc.close()
  }
}

/** Shows the progress that another process records. False if it is time to check whether that process still runs. */
async function watch(
  database: Database,
  network: Network,
  bar: ProgressBar,
  signal: AbortSignal,
): Promise<boolean> {
  for (let look = 0; look < LOOKS_PER_LEASE_TRY; look += 1) {
    signal.throwIfAborted()
    const progress = await findProgress(database, network)
    if (progress?.isComplete) {
      const seconds = Math.max(0, (Date.now() - progress.updatedAt.getTime()) / 1_000).toFixed(1)
      bar.finish(
        `${network}: another process is indexing; it reached slot ${progress.slot} ${seconds} seconds ago`,
      )
      return true
    }
    bar.show(progress?.scanShare ?? 0)
    await sleep(WATCH_INTERVAL_MS)
  }
  return false
}

/** A progress bar on a terminal; elsewhere, a line every two seconds. */
interface ProgressBar {
  /** From 0 to 1. */
  show(share: number): void
  finish(text: string): void
}

const WIDTH = 30
const LINE_MS = 2_000

export function createProgressBar(
  stream: { isTTY?: boolean; write(text: string): unknown },
  name: string,
): ProgressBar {
  const startMs = performance.now()
  let lineAtMs = Number.NEGATIVE_INFINITY
  const seconds = () => Math.round((performance.now() - startMs) / 1_000)

  return {
    show(share) {
      const percent = `${Math.floor(share * 100)} %`
      if (stream.isTTY) {
        const full = Math.round(share * WIDTH)
        const bar = '#'.repeat(full) + '.'.repeat(WIDTH - full)
        stream.write(`\r\u001b[K${name} [${bar}] ${percent}, ${seconds()} s`)
      } else if (performance.now() - lineAtMs >= LINE_MS) {
        lineAtMs = performance.now()
        stream.write(`${name}: ${percent} after ${seconds()} s\n`)
      }
    },
    finish(text) {
      stream.write(`${stream.isTTY ? '\r\u001b[K' : ''}${text}\n`)
    },
  }
}
