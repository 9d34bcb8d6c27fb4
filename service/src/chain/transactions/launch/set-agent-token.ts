import type { Address } from '@slipway/schema/address'
import { decodeIdentity } from '../../accounts/identity.ts'
import { identityAddress } from '../../addresses/addresses.ts'
import { IDENTITY_PROGRAM, SYSTEM_PROGRAM } from '../../addresses/programs.ts'
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../compile-transaction.ts'
import { zeros } from '../encode-fields.ts'
import type { Evidence } from './evidence.ts'
import { authorityOf, type LaunchPlan } from './launch-plan.ts'

const SET_AGENT_TOKEN_V1 = 1

/** `setAgentTokenV1` of the identity program: makes the new token the agent's own, for good. The agent's wallet signs. */
export const setAgentToken = (plan: LaunchPlan, asset: Address): Instruction => ({
  program: IDENTITY_PROGRAM,
  accounts: [
    writable(identityAddress(asset)),
    readonly(asset),
    readonly(plan.genesis),
    writableSigner(plan.wallet),
    readonlySigner(authorityOf(plan)),
    readonly(SYSTEM_PROGRAM),
  ],
  data: Buffer.concat([Uint8Array.of(SET_AGENT_TOKEN_V1), zeros(7)]),
})

export const agentTokenEvidence = (asset: Address, mint: Address): Evidence => ({
  address: identityAddress(asset),
  stateOf(account) {
    const identity = decodeIdentity(account)
    if (!identity.exists || !identity.agentToken) return 'pending'
    return identity.agentToken === mint ? 'done' : 'conflict'
  },
})
