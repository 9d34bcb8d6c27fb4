import type { Address } from '@slipway/schema/address'
import {
  compileTransaction,
  type Instruction,
  TRANSACTION_BYTES_MAX,
  TransactionTooLarge,
} from '../compile-transaction.ts'
import type { LaunchStep } from './launch-steps.ts'

/** Left free in each transaction: a wallet may add instructions of its own. */
const GUARD_BYTES = 96

/**
 * Puts as many steps as fit into each transaction, in order. A step is never divided, so that a launch can be continued
 * after any transaction. Base64, unsigned.
 */
export function packSteps(wallet: Address, steps: readonly LaunchStep[], blockhash: string): string[] {
  const transactions: string[] = []
  let packed: Instruction[] = []
  for (const { instructions } of steps) {
    const together =
      packed.length > 0 ? compileWithin(wallet, [...packed, ...instructions], blockhash) : undefined
    if (together !== undefined) {
      transactions[transactions.length - 1] = together
      packed = [...packed, ...instructions]
    } else {
      transactions.push(compileTransaction(wallet, instructions, blockhash))
      packed = [...instructions]
    }
  }
  return transactions
}

function compileWithin(
  wallet: Address,
  instructions: readonly Instruction[],
  blockhash: string,
): string | undefined {
  try {
    const transaction = compileTransaction(wallet, instructions, blockhash)
    return Buffer.byteLength(transaction, 'base64') <= TRANSACTION_BYTES_MAX - GUARD_BYTES
      ? transaction
      : undefined
  } catch (error) {
    if (error instanceof TransactionTooLarge) return undefined
    throw error
  }
}
