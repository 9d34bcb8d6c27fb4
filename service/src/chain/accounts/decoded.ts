import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'

/** A decoded account, or why there is none. Anyone can write anything to an address, so bad bytes are never an exception. */
export type Decoded<T> = Found<T> | Absent

export type Found<T> = { exists: true; address: Address } & T

interface Absent {
  exists: false
  address: Address
  reason: Absence
}

type Absence =
  /** There is no account at the address. */
  | 'missing'
  /** The account of another program. */
  | 'foreign'
  /** A burnt asset: the program leaves one byte behind. */
  | 'burnt'
  /** Another kind of account of the same program, such as a collection instead of an asset. */
  | 'other-kind'
  /** The first byte is right, and the rest is not. */
  | 'malformed'

export type ExistingAccount = Extract<ChainAccount, { exists: true }>

/** Decodes an account of one of `programs`. Anything that `decode` throws means that the account is malformed. */
export function decodeProgramAccount<T extends object>(
  account: ChainAccount,
  programs: readonly Address[],
  decode: (account: ExistingAccount) => T | Absence,
): Decoded<T> {
  const { address } = account
  if (!account.exists) return { exists: false, address, reason: 'missing' }
  if (!programs.includes(account.owner)) return { exists: false, address, reason: 'foreign' }
  let value: T | Absence
  try {
    value = decode(account)
  } catch {
    value = 'malformed'
  }
  return typeof value === 'string'
    ? { exists: false, address, reason: value }
    : { exists: true, address, ...value }
}
