import type { Network } from '@slipway/schema/network'
import { OperatorError } from '../operator-error.ts'
import type { ConnectionOptions } from '../store/database.ts'
import { type IndexLease, takeIndexLease } from '../store/index-lease.ts'

/** Takes the right to index a network if it is free; undefined when another process has it. */
export async function tryLease(
  connection: ConnectionOptions,
  network: Network,
): Promise<IndexLease | undefined> {
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
