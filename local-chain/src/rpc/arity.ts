import { invalidParams, RpcError } from './errors.ts'

/** The minimum and maximum number of parameters of each method. The compiler reports a method that is missing here. */
const ARITY = {
  getHealth: [0, 0],
  getVersion: [0, 0],
  getIdentity: [0, 0],
  getGenesisHash: [0, 0],
  getClusterNodes: [0, 0],
  getEpochSchedule: [0, 0],
  getFirstAvailableBlock: [0, 0],
  minimumLedgerSlot: [0, 0],
  slotSubscribe: [0, 0],
  rootSubscribe: [0, 0],

  getBlockHeight: [0, 1],
  getEpochInfo: [0, 1],
  getLatestBlockhash: [0, 1],
  getRecentPerformanceSamples: [0, 1],
  getRecentPrioritizationFees: [0, 1],
  getSlot: [0, 1],
  getSlotLeader: [0, 1],
  getSupply: [0, 1],
  getTransactionCount: [0, 1],
  getVoteAccounts: [0, 1],

  getBlockTime: [1, 1],
  accountUnsubscribe: [1, 1],
  logsUnsubscribe: [1, 1],
  programUnsubscribe: [1, 1],
  rootUnsubscribe: [1, 1],
  signatureUnsubscribe: [1, 1],
  slotUnsubscribe: [1, 1],

  accountSubscribe: [1, 2],
  getAccountInfo: [1, 2],
  getBalance: [1, 2],
  getBlock: [1, 2],
  getFeeForMessage: [1, 2],
  getMinimumBalanceForRentExemption: [1, 2],
  getMultipleAccounts: [1, 2],
  getProgramAccounts: [1, 2],
  getSignatureStatuses: [1, 2],
  getSignaturesForAddress: [1, 2],
  getTokenAccountBalance: [1, 2],
  getTokenLargestAccounts: [1, 2],
  getTokenSupply: [1, 2],
  getTransaction: [1, 2],
  isBlockhashValid: [1, 2],
  logsSubscribe: [1, 2],
  programSubscribe: [1, 2],
  sendTransaction: [1, 2],
  signatureSubscribe: [1, 2],
  simulateTransaction: [1, 2],

  getBlocks: [1, 3],
  getSlotLeaders: [2, 2],
  getBlocksWithLimit: [2, 3],
  getTokenAccountsByDelegate: [2, 3],
  getTokenAccountsByOwner: [2, 3],
  requestAirdrop: [2, 3],
} as const satisfies Record<string, readonly [number, number]>

export type MethodName = keyof typeof ARITY

/** Refuses too few or too many parameters, with a node's message for methods of that kind. */
export function assertArity(method: MethodName, given: number): void {
  const [least, most]: readonly [number, number] = ARITY[method]
  if (given >= least && given <= most) return
  if (most === 0) throw invalidParams('Invalid parameters: No parameters were expected')
  if (least === most) {
    const expected = given < least ? `a tuple of size ${least}` : 'fewer elements in array'
    throw invalidParams(`Invalid params: invalid length ${given}, expected ${expected}.`)
  }
  if (given < least) throw invalidParams(`\`params\` should have at least ${least} argument(s)`)
  throw new RpcError(
    -32602,
    `Invalid parameters: Expected from ${least} to ${most} parameters.`,
    `"Got: ${given}"`,
  )
}
