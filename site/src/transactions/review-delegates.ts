import {
  assetSignerAddress,
  delegateRecordAddress,
  executiveProfileAddress,
} from '@slipway/launch-model/addresses'
import { type Call, decodeCall, isOfKind } from '@slipway/launch-model/call'
import {
  delegateExecutionCall,
  registerExecutiveCall,
  revokeExecutionCall,
} from '@slipway/launch-model/calls/agents'
import type { Address } from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import type { Instruction } from './decode-transaction.ts'
import { assertAccounts, assertCount, refuseInstruction } from './expect-instruction.ts'
import type { Intent, Step } from './intent.ts'

type DelegateIntent = Extract<Intent<Address>, { kind: 'delegate' | 'revoke' | 'register-executive' }>

/** Who can spend from an agent's wallet: one instruction, with exactly the accounts that were asked for. */
export function reviewDelegates(
  instructions: readonly Instruction[],
  intent: DelegateIntent,
  wallet: Address,
): Step[] {
  assertCount(instructions, 1)
  const { call, step } = expect(intent, wallet)
  assertCall(instructions[0] as Instruction, call)
  return [step]
}

function expect(intent: DelegateIntent, wallet: Address): { call: Call; step: Step } {
  switch (intent.kind) {
    case 'delegate': {
      const { agent, executive } = intent
      return {
        call: delegateExecutionCall(agent, wallet, executive),
        step: {
          text: `Let ${shorten(executive)} move everything that the agent’s wallet holds, until it is revoked`,
          detail: `Agent ${agent}, wallet ${assetSignerAddress(agent)}, delegate ${executive}`,
        },
      }
    }
    case 'revoke': {
      const { agent, delegate } = intent
      const record = delegateRecordAddress(executiveProfileAddress(delegate), agent)
      return {
        call: revokeExecutionCall(agent, wallet, record),
        step: {
          text: `Stop ${shorten(delegate)} from spending what the agent’s wallet holds`,
          detail: `Agent ${agent}, record ${record}, whose rent goes to ${wallet}`,
        },
      }
    }
    case 'register-executive':
      return {
        call: registerExecutiveCall(wallet),
        step: {
          text: 'Register your wallet as an executive, so that owners can appoint it',
          detail: `Wallet ${wallet}`,
        },
      }
  }
}

/** None of them has arguments, so everything is in the accounts. */
function assertCall(instruction: Instruction, { kind, accounts }: Call): void {
  if (!isOfKind(kind, instruction)) refuseInstruction()
  try {
    decodeCall(kind, instruction.data)
  } catch {
    refuseInstruction()
  }
  assertAccounts(
    instruction,
    accounts.map(({ name, address }) => [name, address]),
  )
}
