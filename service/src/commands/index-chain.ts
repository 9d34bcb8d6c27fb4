import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createProgress, type Progress } from '../boot/progress.ts'
import { RpcError } from '../chain/rpc/fault.ts'
import { indexNetworkOnce } from '../indexer/reading/full-read.ts'
import { OperatorError } from '../operator-error.ts'
import { findProgress, requestFullRead } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import type { IndexLease } from '../store/index-lease.ts'
import type { Log } from '../telemetry/log.ts'
import { auditedChange } from './audit.ts'
import { assertLease, tryLease } from './cluster.ts'
import type { CommandContext } from './command-context.ts'
import { withStore } from './open-store.ts'
import { createNetworkRpc, describeChain, rpcVariable } from './with-chain.ts'

const WATCH_INTERVAL_MS = 500
/** After this many looks at another process's progress, check whether that process is still running. */
const LOOKS_PER_LEASE_TRY = 6
const AUDITED_FLAGS = ['from-scratch', 'accept-removals'] as const
/** What a shell reports for a program that Ctrl-C has stopped. */
const EXIT_INTERRUPTED = 130

/** Reads a chain into the store. If another process indexes the network, shows that process's progress instead. */
export async function indexChain(context: CommandContext): Promise<number> {
  const { network, flags, host, output } = context
  const acceptsRemovals = flags.has('accept-removals')
  const { signal, interrupted, stopListening } = listenForInterrupt()
  const progress = createProgress(host.stderr, { quietMs: 0, ...(output.isJson && { onLine: () => {} }) })
  try {
    await withStore(context, 'change', async ({ database, connection, log, shutdown }) => {
      const work = async () => {
        let lease = acceptsRemovals
          ? await assertLease(database, connection, network)
          : await tryLease(connection, network)
        for (const flag of AUDITED_FLAGS.filter(name => flags.has(name)))
          await auditedChange(
            database,
            { command: `index-chain --${flag}`, network, subject: 'everything' },
            tx => (flag === 'from-scratch' ? requestFullRead(tx, network) : Promise.resolve()),
          )
        // The other process may stop at any time; then the lease is free.
        while (!lease && !(await watch(context, database, progress, signal)))
          lease = await tryLease(connection, network)
        if (!lease) return
        shutdown.add('lease', lease.release)
        await readHere(context, lease, { progress, signal, log, acceptsRemovals })
      }
      await Promise.race([work(), interrupted])
    })
    return 0
  } catch (error) {
    if (!signal.aborted) throw error
    progress.clear()
    host.stderr.write(`${network}: stopped. What was read is stored; the next run continues from there.\n`)
    return EXIT_INTERRUPTED
  } finally {
    progress.clear()
    stopListening()
  }
}

/** The first signal stops the command cleanly, the second ends it at once. */
function listenForInterrupt() {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  const interrupted = once(stop.signal, 'abort').then(() => stop.signal.throwIfAborted())
  interrupted.catch(() => {})
  return {
    signal: stop.signal,
    interrupted,
    stopListening: () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal),
  }
}

async function readHere(
  { config, network, output }: CommandContext,
  { database, lost }: IndexLease,
  {
    progress,
    signal,
    log,
    acceptsRemovals,
  }: { progress: Progress; signal: AbortSignal; log: Log; acceptsRemovals: boolean },
): Promise<void> {
  const urls = config.rpcUrls[network] ?? []
  if (urls.length === 0)
    throw new OperatorError(
      `No RPC is configured for ${network}. Set ${rpcVariable(network)}. (Embedded chains are indexed by the running service.)`,
    )
  output.facts({ rpc: describeChain(urls, rpcVariable(network)) })
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
      onShare: share => signal.aborted || progress.show(`Reading ${network}`, share),
      onRefused: (address, error) =>
        log.error({ err: error, address }, 'skipped an account that the store rejects'),
      onFault: error =>
        log.warn(
          { err: error, network },
          'could not read delegations or deposits: a serving node tries again',
        ),
    })
    progress.clear()
    output.line(`${network}: read ${accounts} accounts; the store is up to date with slot ${slot}`)
    output.json({ accounts, slot, indexedElsewhere: false })
  } catch (error) {
    const next = 'Run the command again to continue.'
    if (lost.aborted) throw new OperatorError(`The connection to the database was lost. ${next}`)
    if (error instanceof RpcError && error.kind === 'foreign')
      throw new OperatorError(
        `The chain was not read: ${error.message}. Check ${rpcVariable(network)}, or see "slipway cluster show".`,
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
  { network, output }: CommandContext,
  database: Database,
  progress: Progress,
  signal: AbortSignal,
): Promise<boolean> {
  for (let look = 0; look < LOOKS_PER_LEASE_TRY; look += 1) {
    signal.throwIfAborted()
    const found = await findProgress(database, network)
    if (found?.isComplete) {
      const seconds = Math.max(0, (Date.now() - found.updatedAt.getTime()) / 1_000).toFixed(1)
      progress.clear()
      output.line(
        `${network}: another process is indexing; it reached slot ${found.slot} ${seconds} seconds ago`,
      )
      output.json({ slot: found.slot, indexedElsewhere: true })
      return true
    }
    progress.show(`Another process is reading ${network}`, found?.scanShare ?? 0)
    await sleep(WATCH_INTERVAL_MS)
  }
  return false
}
