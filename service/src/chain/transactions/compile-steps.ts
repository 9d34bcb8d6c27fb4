import { encodeCall, type Instruction } from '@slipway/launch-model/call'
import { type ActingAgent, executeCall } from '@slipway/launch-model/calls/agents'
import type { Step } from '@slipway/launch-model/trade/wrap-native'
import type { Address } from '@slipway/schema/address'
import { compileTransaction } from './compile-transaction.ts'

interface Signers {
  /** The agent whose wallet takes part. */
  agent?: ActingAgent | undefined
  /** With an agent, its owner. */
  payer: Address
}

/** Steps as instructions. Core's `execute` runs those that the agent signs. */
export const encodeSteps = (steps: readonly Step[], { agent, payer }: Signers): Instruction[] =>
  steps.map(({ call, byAgent }) => encodeCall(agent && byAgent ? executeCall(agent, payer, call) : call))

/** A transaction of steps. Base64, unsigned. */
export const compileSteps = (steps: readonly Step[], by: Signers & { blockhash: string }): string =>
  compileTransaction(by.payer, encodeSteps(steps, by), by.blockhash)
