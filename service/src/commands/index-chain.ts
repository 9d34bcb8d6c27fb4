import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '@slipway/schema/network'
import { createClusterIdentity } from '../chain/rpc/cluster.ts'
import { createRpc } from '../chain/rpc/create-rpc.ts'
import { RpcError } from '../chain/rpc/rpc-error.ts'
import type { Config } from '../config.ts'
import { indexNetworkOnce } from '../indexer/read-once.ts'
import { OperatorError } from '../operator-error.ts'
import { createShutdownList } from '../shutdown.ts'
import { findProgress, wantEverythingAnew } from '../store/chain-progress.ts'
import { findOrRememberGenesisHash } from '../store/clusters.ts'
import { type Database, openDatabase } from '../store/database.ts'
import type { IndexLease } from '../store/index-lease.ts'
import { createLog, type Log } from '../telemetry/log.ts'
import { readArguments } from './arguments.ts'
import { openStore } from './open-store.ts'
import { createProgressBar, type ProgressBar } from './progress-bar.ts'
import { tryLease } from './try-lease.ts'

const WATCH_MS = 500
/** So often it looks whether the other is still there. */
const LOOKS_PER_TRY = 6

/** Reads a chain into the store. Beside a node that does so already, it asks that one and watches. */
export async function indexChain(args: string[], config: Config): Promise<void> {
  const { positionals, network, flags } = readArguments(args, ['from-scratch', 'accept-removals'])
  if (positionals.length > 0) throw new OperatorError('index-chain takes no arguments but its options')
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  const shutdown = createShutdownList((part, error) =>
    log.error({ err: error, part }, 'a part did not stop cleanly'),
  )
  const { signal, interrupted } = listenForInterrupt()
  const bar = createProgressBar(process.stderr, network)
  try {
    const { connection } = await openStore(config, { role: 'guest', log, shutdown })
    const database = openDatabase(connection, {
      onQuery: () => {},
      onConnectionLost: error => log.warn({ err: error }, 'a database connection was lost'),
    })
    shutdown.add('database', database.close)
    const work = async () => {
      let lease = await tryLease(connection, network)
      const acceptsRemovals = flags.has('accept-removals')
      if (acceptsRemovals && !lease)
        throw new OperatorError(`another process indexes ${network}: stop it first`)
      if (flags.has('from-scratch')) await wantEverythingAnew(database, network)
      // The other may die meanwhile, and then there is nobody to watch.
      while (!lease && !(await watch(database, network, bar, signal)))
        lease = await tryLease(connection, network)
      if (!lease) return
      shutdown.add('lease', lease.release)
      await readHere(config, network, lease, { bar, signal, log, acceptsRemovals })
    }
    await Promise.race([work(), interrupted])
  } catch (error) {
    if (!signal.aborted) throw error
    bar.finish(`${network}: stopped; what was read is kept, and the next run goes on from there`)
    process.exitCode = 130
  } finally {
    await shutdown.run()
  }
}

/** The first Ctrl-C ends it in good order, the second at once. */
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
  if (urls.length === 0) {
    const variable = network === 'chain-mainnet' ? 'RPC_URL_MAINNET' : 'RPC_URL_DEVNET'
    throw new OperatorError(
      `there is no RPC for ${network}: set ${variable}; embedded chains are read by the service while it runs`,
    )
  }
  const rpc = createRpc({
    urls,
    cluster: createClusterIdentity({
      findOrRemember: seen => findOrRememberGenesisHash(database, network, seen),
    }),
  })
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
        log.warn({ network, kind, addresses }, 'removed from the index: the chain no longer has them'),
      onShare: share => signal.aborted || bar.show(share),
      onRefused: (address, error) =>
        log.error({ err: error, address }, 'the store does not take this account, which is left out'),
    })
    bar.finish(`${network} is in the store up to slot ${slot}: ${accounts} accounts were read`)
  } catch (error) {
    const again = 'run it again, and it goes on from there'
    if (lost.aborted) throw new OperatorError(`the connection to the database was lost: ${again}`)
    if (error instanceof RpcError)
      throw new OperatorError(`the chain could not be read (${error.message}): ${again}`, { cause: error })
    throw error
  } finally {
    await rpc.close()
  }
}

/** Another node indexes this network: what it writes down of its progress is shown. False when that is worth another look. */
async function watch(
  database: Database,
  network: Network,
  bar: ProgressBar,
  signal: AbortSignal,
): Promise<boolean> {
  for (let look = 0; look < LOOKS_PER_TRY; look += 1) {
    signal.throwIfAborted()
    const progress = await findProgress(database, network)
    if (progress?.isComplete) {
      const seconds = Math.max(0, (Date.now() - progress.updatedAt.getTime()) / 1_000).toFixed(1)
      bar.finish(
        `${network} is indexed by another process, up to slot ${progress.slot}, ${seconds} seconds ago`,
      )
      return true
    }
    bar.show(progress?.scanShare ?? 0)
    await sleep(WATCH_MS)
  }
  return false
}
