import { accountMethods } from './methods/accounts.ts'
import { blockMethods } from './methods/blocks.ts'
import { clusterMethods } from './methods/cluster.ts'
import { historyMethods } from './methods/history.ts'
import { tokenMethods } from './methods/tokens.ts'
import { transactionMethods } from './methods/transactions.ts'
import type { Method, Methods } from './params.ts'

/** All methods over HTTP. As on a node, none of them is available over WebSocket. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    ...accountMethods,
    ...blockMethods,
    ...clusterMethods,
    ...historyMethods,
    ...tokenMethods,
    ...transactionMethods,
  } satisfies Methods),
)
