import type { Address } from '@slipway/launch-model/programs'
import {
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
} from '@solana/kit'
import { refuse, UnexpectedTransactionError } from './unexpected.ts'

export interface Instruction {
  program: Address
  accounts: readonly Address[]
  data: Uint8Array
}

export interface DecodedTransaction {
  /** The bytes that signatures cover. */
  message: Uint8Array
  /** The first pays the fee. */
  signers: readonly { address: Address; signature: Uint8Array | undefined }[]
  instructions: readonly Instruction[]
  /** The accounts that it may change. */
  writable: readonly Address[]
}

const TRANSACTION_BYTES_MAX = 1_232

/** Decodes a wire transaction. Refuses one that another program could read differently. */
export function decodeTransaction(wire: Uint8Array): DecodedTransaction {
  if (wire.length > TRANSACTION_BYTES_MAX) refuse('The transaction is larger than the network allows.')
  try {
    return decode(wire)
  } catch (error) {
    if (error instanceof UnexpectedTransactionError) throw error
    throw new UnexpectedTransactionError('The transaction can’t be read.', { cause: error })
  }
}

function decode(wire: Uint8Array): DecodedTransaction {
  const transaction = getTransactionDecoder().decode(wire)
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  if (message.version !== 0) return refuse('The transaction has a format that this page doesn’t know.')
  // The accounts in a lookup table are not in the transaction, so its bytes do not show what it does.
  if (message.addressTableLookups?.length)
    return refuse('The transaction takes accounts from a lookup table, so its effect can’t be checked.')
  const isCanonical =
    areEqual(getTransactionEncoder().encode(transaction), wire) &&
    areEqual(getCompiledTransactionMessageEncoder().encode(message), transaction.messageBytes)
  if (!isCanonical) return refuse('The transaction can be read in more than one way.')

  const { staticAccounts, header } = message
  if (new Set(staticAccounts).size !== staticAccounts.length)
    return refuse('The transaction names an account twice.')
  const accountAt = (index: number): Address =>
    staticAccounts[index] ?? refuse('The transaction refers to an account that it doesn’t name.')
  return {
    message: Uint8Array.from(transaction.messageBytes),
    signers: staticAccounts.slice(0, header.numSignerAccounts).map(address => ({
      address,
      signature: transaction.signatures[address] ?? undefined,
    })),
    writable: staticAccounts.filter((_, index) =>
      index < header.numSignerAccounts
        ? index < header.numSignerAccounts - header.numReadonlySignerAccounts
        : index < staticAccounts.length - header.numReadonlyNonSignerAccounts,
    ),
    instructions: message.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
      program: accountAt(programAddressIndex),
      accounts: (accountIndices ?? []).map(accountAt),
      data: Uint8Array.from(data ?? []),
    })),
  }
}

export const areEqual = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.prototype.every.call(a, (byte: number, at: number) => byte === b[at])
