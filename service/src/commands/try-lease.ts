import type { Network } from '@slipway/schema/network'
import { OperatorError } from '../operator-error.ts'
import { countServingNodes } from '../store/changes.ts'
import type { ConnectionOptions, Database } from '../store/database.ts'
import { explainStoreFault, reasonOf } from '../store/errors.ts'
import { type IndexLease, takeIndexLease } from '../store/index-lease.ts'

/** Takes a network's index lease if it is free; undefined if another process holds it. */
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
    throw new OperatorError(
      `The index can't be locked: ${reasonOf(fault)}. ${explainStoreFault(fault).remedy}`,
      {
        cause: fault,
      },
    )
  return lease
}

/** Like `tryLease`, for commands that must not run beside a service, because it would write again what they delete. */
export async function assertLease(
  database: Database,
  connection: ConnectionOptions,
  network: Network,
): Promise<IndexLease> {
  const lease = await tryLease(connection, network)
  if (!lease) throw new OperatorError(`Another process is indexing ${network}. Stop it and try again.`)
  const nodes = await countServingNodes(database)
  if (nodes === 0) return lease
  await lease.release()
  throw new OperatorError(`${nodes} running service(s) use this database. Stop them and try again.`)
}
