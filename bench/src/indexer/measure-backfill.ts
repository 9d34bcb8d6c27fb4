import type { Address } from '@slipway/schema/address'
import { createRpc } from '@slipway/service/chain/rpc/create-rpc'
import { indexNetworkOnce } from '@slipway/service/indexer/reading/full-read'
import { requestFullRead } from '@slipway/service/store/chain-progress'
import { type ConnectionOptions, openDatabase } from '@slipway/service/store/database'

export interface BackfillCost {
  seconds: number
  /** How long at least one call was in flight. */
  rpcSeconds: number
  storeSeconds: number
  cpuSeconds: number
  peakMegabytes: number
}

/** Reads a whole chain into the store, in a process of its own. */
export async function measureBackfill({
  connection,
  rpcUrl,
}: {
  connection: ConnectionOptions
  rpcUrl: string
}): Promise<BackfillCost> {
  const store = createStopwatch()
  const calls = createStopwatch()
  const pool = openDatabase(connection, { onQuery: () => {}, onConnectionLost: () => {} })
  const database: typeof pool = {
    ...pool,
    run: (name, work) => store.during(() => pool.run(name, work)),
    transact: (name, work) => store.during(() => pool.transact(name, work)),
  }
  const network = 'chain-mainnet'
  const plain = createRpc({ urls: [rpcUrl], cluster: 'any' })
  const rpc: typeof plain = {
    ...plain,
    fetchAccounts: addresses => calls.during(() => plain.fetchAccounts(addresses)),
    fetchProgramAccounts: (program, options) =>
      calls.during(() => plain.fetchProgramAccounts(program, options)),
  }
  await requestFullRead(database, network)
  const startMs = performance.now()
  const cpu = process.cpuUsage()
  const { signal } = new AbortController()
  await indexNetworkOnce({ network, rpc, database, signal, onShare: () => {}, onRefused })
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - startMs) / 1_000
  await rpc.close()
  await database.close()
  return {
    seconds,
    rpcSeconds: calls.seconds(),
    storeSeconds: store.seconds(),
    cpuSeconds: (user + system) / 1e6,
    peakMegabytes: process.resourceUsage().maxRSS / 1_024,
  }
}

function onRefused(address: Address, error: unknown): never {
  throw new Error(`${address} was refused`, { cause: error })
}

/** How long at least one of several overlapping tasks was running. */
function createStopwatch() {
  let running = 0
  let sinceMs = 0
  let totalMs = 0
  return {
    async during<T>(work: () => Promise<T>): Promise<T> {
      if (running === 0) sinceMs = performance.now()
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
        if (running === 0) totalMs += performance.now() - sinceMs
      }
    },
    seconds: () => totalMs / 1_000,
  }
}
