import { type Address, getBase58Encoder, isAddress } from '@solana/kit'
import type { Commitment } from '../ledger/account.ts'
import type { Chain } from '../ledger/create-chain.ts'
import { memoize } from '../memoize.ts'
import { assertArity, type MethodName } from './arity.ts'
import { invalidParams, minContextSlotNotReached } from './errors.ts'

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
