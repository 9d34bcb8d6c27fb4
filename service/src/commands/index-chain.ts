import { setTimeout as sleep } from 'node:timers/promises'
import type { Network } from '@slipway/schema/network'
import { createRpc } from '../chain/rpc/create-rpc.ts'
import type { Config } from '../config.ts'
import { indexNetworkOnce } from '../indexer/read-once.ts'
import { createLog } from '../log.ts'
import { OperatorError } from '../operator-error.ts'
import { createShutdownList } from '../shutdown.ts'
import { findProgress, wantEverythingAnew } from '../store/chain-progress.ts'
import { type ConnectionOptions, type Database, openDatabase } from '../store/database.ts'
import { type IndexLease, takeIndexLease } from '../store/index-lease.ts'
import { readArguments } from './arguments.ts'
import { openStore } from './open-store.ts'
import { createProgressBar, type ProgressBar } from './progress-bar.ts'

const WATCH_MS = 500

/** Reads a chain into the store. Beside a node that does so already, it asks that one and watches. */
export async function indexChain(args: string[], config: Config): Promise<void> {
  const { positionals, network, flags } = readArguments(args, ['from-scratch'])
  if (positionals.length > 0) throw new OperatorError('index-chain takes no arguments but its options')
  const isFromScratch = flags.has('from-scratch')
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  const shutdown = createShutdownList((part, error) =>
    log.error({ err: error, part }, 'a part did not stop cleanly'),
  )
  try {
    const { connection } = await openStore(config, { role: 'guest', log, shutdown })
    const database = openDatabase(connection, {
      onQuery: () => {},
      onConnectionLost: error => log.warn({ err: error }, 'a database connection was lost'),
    })
    shutdown.add('database', database.close)
    const lease = await tryLease(connection, network)
    if (lease) shutdown.add('lease', lease.release)
    if (isFromScratch) await wantEverythingAnew(database, network)
    const bar = createProgressBar(process.stderr, network)
    if (lease) await readHere(config, network, lease, bar)
    else await watch(database, network, bar)
  } finally {
    await shutdown.run()
  }
}

/** Undefined when another node has it: it does not wait for its turn. */
async function tryLease(connection: ConnectionOptions, network: Network): Promise<IndexLease | undefined> {
  const stop = new AbortController()
  let fault: Error | undefined
  const lease = await takeIndexLease(connection, network, {
    signal: stop.signal,
    onWaiting: () => stop.abort(),
    observer: {
      onQuery: () => {},
      onConnectionLost(error) {
        fault = error
        stop.abort()
      },
    },
  })
  if (!lease && fault)
    throw new OperatorError(`The database cannot be reached: ${fault.message}`, { cause: fault })
  return lease
}

async function readHere(
  { rpcUrls }: Config,
  network: Network,
  { database, lost }: IndexLease,
  bar: ProgressBar,
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
    observer: { onAttempt() {}, onRetry() {}, onEndpoint() {}, onSlot() {}, onReads() {} },
  })
  try {
    const { slot, accounts } = await indexNetworkOnce({
      network,
      rpc,
      database,
      signal: lost,
      onShare: bar.show,
    })
    bar.finish(`${network} is in the store up to slot ${slot}: ${accounts} accounts were read`)
  } finally {
    await rpc.close()
  }
}

/** Another node indexes this network: what it writes down of its progress is shown. */
async function watch(database: Database, network: Network, bar: ProgressBar): Promise<void> {
  for (;;) {
    const progress = await findProgress(database, network)
    if (progress?.isComplete) {
      const seconds = Math.max(0, (Date.now() - progress.updatedAt.getTime()) / 1_000).toFixed(1)
      bar.finish(
        `${network} is indexed by another process, up to slot ${progress.slot}, ${seconds} seconds ago`,
      )
      return
    }
    bar.show(progress?.scanShare ?? 0)
    await sleep(WATCH_MS)
  }
}
