import { type Address, getBase58Encoder, isAddress } from '@solana/kit'
import type { Commitment } from '../ledger/account.ts'
import type { Chain } from '../ledger/create-chain.ts'
import type { createFaucet } from '../ledger/faucet.ts'
import { memoize } from '../memoize.ts'
import { invalidParams, minContextSlotNotReached, RpcError } from './json-rpc.ts'

/** How a node's error messages describe an unexpected value. */
function describeJson(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean') return `boolean \`${value}\``
  if (typeof value === 'number') {
    return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``
  }
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`
  return Array.isArray(value) ? 'sequence' : 'map'
}

/** An integer out of range is an "invalid value", anything else an "invalid type". */
export const wrongType = (value: unknown, expected: string) => {
  const outOfRange = typeof value === 'number' && Number.isInteger(value) && /^u(64|size)$/.test(expected)
  return invalidParams(
    `Invalid params: invalid ${outOfRange ? 'value' : 'type'}: ${describeJson(value)}, expected ${expected}.`,
  )
}

/** For a string that is not one of the allowed ones. */
export const unknownVariant = (value: unknown, ...allowed: string[]) =>
  typeof value === 'string'
    ? invalidParams(
        `Invalid params: unknown variant \`${value}\`, expected one of ${allowed.map(text => `\`${text}\``).join(', ')}.`,
      )
    : wrongType(value, 'string or map')

export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0

export type Params = ReturnType<typeof parseParams>

/** Positional parameters. Each accessor validates one of them and throws a node's error message. */
export function parseParams(method: MethodName, raw: unknown) {
  if (raw !== undefined && raw !== null && !Array.isArray(raw)) {
    throw invalidParams('`params` should be an array')
  }
  const list: readonly unknown[] = (raw as unknown[] | undefined) ?? []
  assertArity(method, list.length)

  return {
    raw: (index: number) => list[index],
    string(index: number): string {
      const value = list[index]
      if (typeof value !== 'string') throw wrongType(value, 'a string')
      return value
    },
    u64(index: number): number {
      const value = list[index]
      if (!isCount(value) || value >= 2 ** 64) throw wrongType(value, 'u64')
      return value
    },
    array(index: number): readonly unknown[] {
      const value = list[index]
      if (!Array.isArray(value)) throw wrongType(value, 'a sequence')
      return value
    },
    address: (index: number): Address => toAddress(list[index]),
    config(index: number): Config {
      const value = list[index]
      if (value === undefined || value === null) return {}
      if (typeof value !== 'object' || Array.isArray(value)) throw wrongType(value, 'struct')
      return value as Config
    },
  }
}

export type Config = Readonly<Record<string, unknown>>

// Validating an address is slower than looking up its account, and callers repeat the same addresses.
const isValidAddress = memoize(50_000, isAddress as (text: string) => boolean)

export function toAddress(value: unknown): Address {
  if (typeof value !== 'string') throw wrongType(value, 'a string')
  if (value.length <= 44 && isValidAddress(value)) return value as Address
  throw invalidParams(`Invalid param: ${isBase58(value) ? 'WrongSize' : 'Invalid'}`)
}

export function toSignature(value: unknown): string {
  if (typeof value !== 'string') throw wrongType(value, 'a string')
  if (!isBase58(value)) throw invalidParams('Invalid param: Invalid')
  // A long text is refused before it is decoded, because decoding base58 takes quadratic time.
  if (value.length > 88 || base58.encode(value).length !== 64) throw invalidParams('Invalid param: WrongSize')
  return value
}

const base58 = getBase58Encoder()
const isBase58 = (text: string) => /^[1-9A-HJ-NP-Za-km-z]*$/.test(text)

export function commitmentOf(config: Config, fallback: Commitment = 'finalized'): Commitment {
  const value = config.commitment
  if (value === undefined || value === null) return fallback
  switch (value) {
    case 'processed':
    case 'recent':
      return 'processed'
    case 'confirmed':
    case 'single':
    case 'singleGossip':
      return 'confirmed'
    case 'finalized':
    case 'max':
    case 'root':
      return 'finalized'
  }
  throw unknownVariant(value, 'processed', 'confirmed', 'finalized')
}

/** The commitment to read at. Throws if the chain has not reached the caller's `minContextSlot`. */
export function resolveCommitment(chain: Chain, config: Config, fallback?: Commitment): Commitment {
  const commitment = commitmentOf(config, fallback)
  const slot = chain.slotAt(commitment)
  const wanted = config.minContextSlot
  if (wanted !== undefined && wanted !== null) {
    if (!isCount(wanted)) throw wrongType(wanted, 'u64')
    if (wanted > slot) throw minContextSlotNotReached(slot)
  }
  return commitment
}

/** For methods that do not support `processed`. */
export function confirmedCommitmentOf(config: Config): Commitment {
  const commitment = commitmentOf(config)
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`')
  return commitment
}

export function resolveConfirmedCommitment(chain: Chain, config: Config): Commitment {
  confirmedCommitmentOf(config)
  return resolveCommitment(chain, config)
}

export const booleanOf = (config: Config, key: string): boolean => {
  const value = config[key]
  if (value === undefined || value === null) return false
  if (typeof value !== 'boolean') throw wrongType(value, 'a boolean')
  return value
}

export const API_VERSION = '4.0.0'
export const withContext = <T>(chain: Chain, commitment: Commitment, value: T) => ({
  context: { apiVersion: API_VERSION, slot: chain.slotAt(commitment) },
  value,
})

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

type MethodContext = {
  readonly chain: Chain
  readonly faucet: ReturnType<typeof createFaucet>
}

/** A method returns its result or throws an `RpcError`. */
export type Method = (context: MethodContext, params: Params) => unknown

/** Methods by name. */
export type Methods = { readonly [Name in MethodName]?: Method }
