import { rentFor } from '@slipway/local-chain/conditions'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import {
  type Intent,
  type Review,
  reviewTransactions,
  UnexpectedTransactionError,
} from '../src/transactions/review.ts'

/** A transaction, what the page said that it does, and the connected wallet. */
export interface ReviewCase {
  wire: Uint8Array
  intent: Intent
  wallet: Address
}

/** Wants the money. */
export const MALLORY = createKeypair().address
export const mallory = new PublicKey(MALLORY)

/** What a response of this transaction alone does. */
export async function reviewOf({ wire, intent, wallet }: ReviewCase): Promise<Review> {
  const [review] = await reviewTransactions([wire], intent, wallet, rentFor)
  return review as Review
}

/** Why a transaction is refused. */
export async function refusalOf(one: ReviewCase): Promise<string> {
  const error = await reviewOf(one).then(
    () => 'it was accepted',
    (error: unknown) => error,
  )
  if (error instanceof UnexpectedTransactionError) return error.message
  throw new Error('expected a refusal', { cause: error })
}

export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'))

/** A copy of a transaction whose instructions, payer or signers were changed by someone who can build transactions. */
export function rebuild(wire: Uint8Array, change: (parts: TransactionMessage) => void): Uint8Array {
  const transaction = VersionedTransaction.deserialize(wire)
  const parts = TransactionMessage.decompile(transaction.message)
  change(parts)
  const message = parts.compileToV0Message()
  const rebuilt = new VersionedTransaction(message)
  for (const [index, key] of transaction.message.staticAccountKeys.entries()) {
    const signature = transaction.signatures[index]
    const at = message.staticAccountKeys.findIndex(other => other.equals(key))
    if (signature && at < rebuilt.signatures.length) rebuilt.signatures[at] = signature
  }
  return rebuilt.serialize()
}

/** The same instruction with some of its data replaced. */
export function withBytes(instruction: TransactionInstruction, at: number, bytes: ArrayLike<number>) {
  const data = Buffer.from(instruction.data)
  data.set(bytes, at)
  return new TransactionInstruction({ ...instruction, data })
}

/** Replaces one account of an instruction with one that does not sign. */
export function swapAccount(
  instruction: TransactionInstruction | undefined,
  index: number,
  pubkey = mallory,
) {
  const key = instruction?.keys[index]
  if (!instruction || !key) throw new Error('there is no such account')
  instruction.keys[index] = { pubkey, isSigner: false, isWritable: key.isWritable }
}

/** Programs, accounts and data of all instructions: what a transaction does, apart from its signers and blockhash. */
export function effectOf(wire: Uint8Array): string {
  const { message } = VersionedTransaction.deserialize(wire)
  const keys = message.staticAccountKeys.map(String)
  return JSON.stringify([
    keys[0],
    keys.slice(0, message.header.numRequiredSignatures),
    message.addressTableLookups.length,
    message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => [
      keys[programIdIndex],
      [...accountKeyIndexes].map(index => keys[index]),
      Buffer.from(data).toString('hex'),
    ]),
  ])
}

/** Where the message of a transaction starts. */
export const messageStart = (wire: Uint8Array): number => 1 + 64 * (wire[0] as number)
