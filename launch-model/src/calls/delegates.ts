import type { Address } from '@slipway/schema/address'
import { delegateRecordAddress, executiveProfileAddress, identityAddress } from '../addresses.ts'
import { struct, zeros } from '../bytes/codec.ts'
import { type Call, call, defineCall, readonly, readonlySigner, writable, writableSigner } from '../call.ts'
import { AGENT_TOOLS_PROGRAM, SYSTEM_PROGRAM } from '../programs.ts'

const NOTHING = struct({ _padding: zeros(7) })

/** `registerExecutiveV1` of the agent tools program: makes a wallet one that agents can delegate to. */
export const registerExecutive = defineCall('registerExecutive', AGENT_TOOLS_PROGRAM, 0, NOTHING)

export const registerExecutiveCall = (wallet: Address): Call =>
  call(registerExecutive, {}, [
    writable(executiveProfileAddress(wallet), 'the profile'),
    writableSigner(wallet, 'the payer'),
    readonlySigner(wallet, 'the executive'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
  ])

/** `delegateExecutionV1`: the owner lets an executive act for the agent's wallet. */
export const delegateExecution = defineCall('delegateExecution', AGENT_TOOLS_PROGRAM, 1, NOTHING)

export const delegateExecutionCall = (agent: Address, owner: Address, executive: Address): Call => {
  const profile = executiveProfileAddress(executive)
  return call(delegateExecution, {}, [
    readonly(profile, 'the executive’s profile'),
    readonly(agent, 'the agent'),
    readonly(identityAddress(agent), 'the agent’s identity'),
    writable(delegateRecordAddress(profile, agent), 'the record'),
    writableSigner(owner, 'the payer'),
    readonlySigner(owner, 'the owner'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
  ])
}

/** `revokeExecutionV1`: the owner or the executive ends it, and gets the rent of the record. */
export const revokeExecution = defineCall('revokeExecution', AGENT_TOOLS_PROGRAM, 2, NOTHING)

export const revokeExecutionCall = (agent: Address, sender: Address, record: Address): Call =>
  call(revokeExecution, {}, [
    writable(record, 'the record'),
    readonly(agent, 'the agent'),
    writable(sender, 'who gets the rent'),
    writableSigner(sender, 'the payer'),
    readonlySigner(sender, 'the sender'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
  ])
