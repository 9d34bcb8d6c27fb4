import type { Invocation } from '../stand-in.ts'
import { type AccountRef, ProgramError } from '../stand-in.ts'

/** The program's errors, as its client package numbers them. */
const ERRORS = {
  InvalidSystemProgram: [0, 'Invalid System Program'],
  InvalidInstructionData: [1, 'Invalid instruction data'],
  InvalidAccountData: [2, 'Invalid account data'],
  InvalidCoreAsset: [4, 'Invalid Core Asset'],
  ExecutiveProfileMustBeUninitialized: [5, 'Executive Profile must be uninitialized'],
  InvalidExecutionDelegateRecordDerivation: [6, 'Invalid Execution Delegate Record Derivation'],
  ExecutionDelegateRecordMustBeUninitialized: [7, 'Execution Delegate Record must be uninitialized'],
  InvalidAgentIdentity: [8, 'Invalid Agent Identity'],
  AgentIdentityNotRegistered: [9, 'Agent Identity not registered'],
  AssetOwnerMustBeTheOneToDelegateExecution: [10, 'Asset owner must be the one to delegate execution'],
  InvalidExecutiveProfileDerivation: [11, 'Invalid Executive Profile Derivation'],
  ExecutionDelegateRecordMustBeInitialized: [12, 'Execution Delegate Record must be initialized'],
  UnauthorizedRevoke: [13, 'Authority must be asset owner or executive to revoke'],
} as const

export function toolsError(name: keyof typeof ERRORS): ProgramError {
  const [code, message] = ERRORS[name]
  return new ProgramError({ Custom: code }, message)
}

/** Whether an account may still be created there. Lamports that someone sent don't matter. */
export const isUninitialized = (ctx: Invocation, { address }: AccountRef): boolean =>
  (ctx.read(address)?.data.length ?? 0) === 0
