import { encodeCall, type Instruction } from '@slipway/launch-model/call'
import type { Step } from '@slipway/launch-model/trade/wrap-native'
import type { Address } from '@slipway/schema/address'
import { compileTransaction } from './compile-transaction.ts'
import { executeAsAgent } from './execute-as-agent.ts'

/** The agent whose wallet takes part. */
export type ActingAgent = { asset: Address; collection?: Address | undefined } | undefined

interface Signers {
  agent?: ActingAgent
  /** With an agent, its owner. */
  payer: Address
}

/** Steps as instructions. Core's `execute` runs those that the agent signs. */
export const encodeSteps = (steps: readonly Step[], { agent, payer }: Signers): Instruction[] =>
  steps.map(({ call, byAgent }) => {
    const instruction = encodeCall(call)
    return agent && byAgent ? executeAsAgent(agent, payer, instruction) : instruction
  })

/** A transaction of steps. Base64, unsigned. */
export const compileSteps = (steps: readonly Step[], by: Signers & { blockhash: string }): string =>
  compileTransaction(by.payer, encodeSteps(steps, by), by.blockhash)
