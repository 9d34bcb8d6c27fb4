import {
  type CallKind,
  decodeCall,
  isOfKind,
  READONLY,
  READONLY_SIGNER,
  WRITABLE,
  WRITABLE_SIGNER,
} from '@slipway/launch-model/call'
import { claimFromCurve, claimFromPool } from '@slipway/launch-model/calls/claims'
import type { Address } from '@slipway/launch-model/programs'
import {
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
} from '@solana/kit'
import { refuse, UnexpectedTransactionError } from './intent.ts'

export const refuseInstruction = (): never =>
  refuse('The transaction gives a program an instruction that this page didn’t expect.')

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
  /** Every account that it names, and its role in it. */
  roles: ReadonlyMap<Address, number>
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
  const roleAt = (index: number): number => {
    const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
    if (index < numSignerAccounts)
      return index < numSignerAccounts - numReadonlySignerAccounts ? WRITABLE_SIGNER : READONLY_SIGNER
    return index < staticAccounts.length - numReadonlyNonSignerAccounts ? WRITABLE : READONLY
  }
  const roles = new Map(staticAccounts.map((address, index) => [address as Address, roleAt(index)]))
  return {
    message: Uint8Array.from(transaction.messageBytes),
    signers: staticAccounts.slice(0, header.numSignerAccounts).map(address => ({
      address,
      signature: transaction.signatures[address] ?? undefined,
    })),
    roles,
    writable: [...roles].flatMap(([address, role]) => (role & WRITABLE ? address : [])),
    instructions: message.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
      program: accountAt(programAddressIndex),
      accounts: (accountIndices ?? []).map(accountAt),
      data: Uint8Array.from(data ?? []),
    })),
  }
}

export const areEqual = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.prototype.every.call(a, (byte: number, at: number) => byte === b[at])

export const isClaim = (instruction: Instruction): boolean =>
  isOfKind(claimFromPool, instruction) || isOfKind(claimFromCurve, instruction)

/** The bucket that a transaction claims creator rewards from, which the page can't know in advance. */
export const claimedBucket = ({ instructions }: Pick<DecodedTransaction, 'instructions'>) =>
  instructions.findLast(isClaim)?.accounts[1]

/** The arguments of the first instruction of this kind. Undefined if there is none. */
export function argsIn<Args>(
  instructions: readonly Instruction[],
  kind: CallKind<string, Args>,
): Args | undefined {
  const found = instructions.find(one => isOfKind(kind, one))
  try {
    return found && decodeCall(kind, found.data)
  } catch {
    return refuseInstruction()
  }
}
