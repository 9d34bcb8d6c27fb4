import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'

/** What an account says, or why it says nothing. Strangers choose what lies at an address, so this is never an exception. */
export type Decoded<T> = ({ exists: true; address: Address } & T) | Absent

export interface Absent {
  exists: false
  address: Address
  reason: Absence
}

export type Absence =
  /** Nothing at the address. */
  | 'missing'
  /** Another program's account. */
  | 'foreign'
  /** An asset that was burnt: the program leaves one byte behind. */
  | 'burnt'
  /** The right program, and something else of it: a collection where an asset was asked for. */
  | 'other-kind'
  /** It claims to be the right thing, and its bytes are not. */
  | 'malformed'

export type ExistingAccount = Extract<ChainAccount, { exists: true }>

/**
 * Reads an account of one of `programs`. Whatever `read` throws means that the bytes are not what they claim to be: the
 * official serializers say so with exceptions.
 */
export function decodeAccount<T extends object>(
  account: ChainAccount,
  programs: readonly Address[],
  read: (account: ExistingAccount) => T | Absence,
): Decoded<T> {
  const { address } = account
  if (!account.exists) return { exists: false, address, reason: 'missing' }
  if (!programs.includes(account.owner)) return { exists: false, address, reason: 'foreign' }
  let value: T | Absence
  try {
    value = read(account)
  } catch {
    value = 'malformed'
  }
  return typeof value === 'string'
    ? { exists: false, address, reason: value }
    : { exists: true, address, ...value }
}
