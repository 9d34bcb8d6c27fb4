import type { ActingAgent } from '@slipway/launch-model/calls/agents'
import { planSwap, type Swap } from '@slipway/launch-model/trade/plan-swap'
import { compileSteps } from './compile-steps.ts'

export interface SwapTransaction extends Swap {
  agent?: ActingAgent | undefined
  blockhash: string
}

/** What a trader, and the payer if another wallet pays, sign to buy or sell. Base64, unsigned. */
export const buildSwapTransaction = (swap: SwapTransaction): string => compileSteps(planSwap(swap), swap)
