import { encodeCall, type Instruction } from '@slipway/launch-model/call'
import { planSwap, type Swap } from '@slipway/launch-model/trade/plan-swap'
import type { Address } from '@slipway/schema/address'
import { compileTransaction } from './compile-transaction.ts'
import { executeAsAgent } from './execute-as-agent.ts'

export interface SwapTransaction extends Swap {
  /** The agent whose wallet trades. */
  agent?: { asset: Address; collection?: Address | undefined } | undefined
  blockhash: string
}

/** What a trader, and the payer if another wallet pays, sign to buy or sell. Base64, unsigned. */
export function buildSwapTransaction(swap: SwapTransaction): string {
  const { agent, payer, blockhash } = swap
  const instructions: Instruction[] = []
  for (const { call, byAgent } of planSwap(swap)) {
    const instruction = encodeCall(call)
    instructions.push(agent && byAgent ? executeAsAgent(agent, payer, instruction) : instruction)
  }
  return compileTransaction(payer, instructions, blockhash)
}
