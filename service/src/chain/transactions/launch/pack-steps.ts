import type { Instruction } from '@slipway/launch-model/call'
import type { LaunchPlan } from '@slipway/launch-model/plan/launch-plan'
import type { LaunchStep } from '@slipway/launch-model/plan/launch-steps'
import { encodeSteps } from '../compile-steps.ts'
import { compileTransaction, measureTransaction, TRANSACTION_BYTES_MAX } from '../compile-transaction.ts'

/** Left free for a wallet's own instructions: 52 bytes for a compute budget, and the rest for a small assertion. */
const WALLET_BYTES = 96

/**
 * Puts as many steps as fit into each transaction, in order. A step is never divided, so that a launch can be
 * continued after any transaction. Steps that must stay together are never separated. Base64, unsigned.
 */
export function packSteps(plan: Parties, steps: readonly LaunchStep[], blockhash: string): string[] {
  const { wallet } = plan
  const groups: Instruction[][] = []
  for (const instructions of joinSteps(plan, steps)) {
    const together = [...(groups.at(-1) ?? []), ...instructions]
    const fits = measureTransaction(wallet, together) <= TRANSACTION_BYTES_MAX - WALLET_BYTES
    if (groups.length > 0 && fits) groups[groups.length - 1] = together
    else groups.push(instructions)
  }
  return groups.map(instructions => compileTransaction(wallet, instructions, blockhash))
}

function joinSteps(plan: Parties, steps: readonly LaunchStep[]): Instruction[][] {
  const joined: Instruction[][] = []
  for (const step of steps) {
    const instructions = encodeStep(plan, step)
    const previous = step.staysWithPrevious && joined.at(-1)
    if (previous) previous.push(...instructions)
    else joined.push(instructions)
  }
  return joined
}

type Parties = Pick<LaunchPlan, 'wallet' | 'agent'>

/** The instructions of a step. If an agent creates the launch, only Core can sign for its wallet. */
export const encodeStep = ({ wallet, agent }: Parties, { calls }: LaunchStep): Instruction[] =>
  encodeSteps(calls, { agent, payer: wallet })
