import { TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { rentFor } from '@slipway/local-chain/conditions'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import type { Facts } from '../src/transactions/facts.ts'
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
  /** What the page has read from the chain. */
  facts?: Facts
}

const NATIVE = { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM, decimals: 9 }
/** What a page knows that has read nothing. */
export const NO_FACTS: Facts = {
  environment: 'mainnet',
  tokens: new Map([[WRAPPED_NATIVE_MINT, NATIVE]]),
  ...{ accountRent: rentFor(165), wrapped: undefined, launch: undefined, agent: undefined },
  rewards: new Map(),
}

/** Wants the money. */
export const MALLORY = createKeypair().address
export const mallory = new PublicKey(MALLORY)

/** What a response of this transaction alone does. */
export async function reviewOf({ wire, intent, wallet, facts = NO_FACTS }: ReviewCase): Promise<Review> {
  const [review] = await reviewTransactions([wire], intent, wallet, facts)
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

/** What a transaction does, apart from its blockhash: its accounts and their roles, and all instructions. */
export function effectOf(wire: Uint8Array): string {
  const { message } = VersionedTransaction.deserialize(wire)
  const keys = message.staticAccountKeys.map(String)
  return JSON.stringify([
    keys[0],
    keys.map((key, at) => [key, message.isAccountSigner(at), message.isAccountWritable(at)]).sort(),
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
