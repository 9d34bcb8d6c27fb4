import type { Address } from '@slipway/schema/address'
import {
  compileTransaction,
  type Instruction,
  measureTransaction,
  TRANSACTION_BYTES_MAX,
} from '../compile-transaction.ts'
import type { LaunchStep } from './launch-steps.ts'

/** Left free for a wallet's own instructions: 52 bytes for a compute budget, and the rest for a small assertion. */
const WALLET_BYTES = 96

/**
 * Puts as many steps as fit into each transaction, in order. A step is never divided, so that a launch can be continued
 * after any transaction, and never separated from one that it must stay with. Base64, unsigned.
 */
export function packSteps(wallet: Address, steps: readonly LaunchStep[], blockhash: string): string[] {
  const groups: Instruction[][] = []
  for (const instructions of joinSteps(steps)) {
    const together = [...(groups.at(-1) ?? []), ...instructions]
    const fits = measureTransaction(wallet, together) <= TRANSACTION_BYTES_MAX - WALLET_BYTES
    if (groups.length > 0 && fits) groups[groups.length - 1] = together
    else groups.push(instructions)
  }
  return groups.map(instructions => compileTransaction(wallet, instructions, blockhash))
}

function joinSteps(steps: readonly LaunchStep[]): Instruction[][] {
  const joined: Instruction[][] = []
  for (const { instructions, staysWithPrevious } of steps) {
    const previous = staysWithPrevious && joined.at(-1)
    if (previous) previous.push(...instructions)
    else joined.push([...instructions])
  }
  return joined
}
