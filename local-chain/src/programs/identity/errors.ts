import { ProgramError } from '../stand-in.ts'

/** The program's errors, which its client package does not export. */
const ERRORS = {
  InvalidSystemProgram: [0, 'Invalid System Program'],
  InvalidInstructionData: [1, 'Invalid instruction data'],
  InvalidAccountData: [2, 'Invalid account data'],
  InvalidMplCoreProgram: [3, 'Invalid MPL Core Program'],
  InvalidCoreAsset: [4, 'Invalid Core Asset'],
  InvalidAgentToken: [5, 'Invalid Agent Token'],
  OnlyAssetSignerCanSetAgentToken: [6, 'Only the Asset Signer can set the agent token'],
  AgentTokenAlreadySet: [7, 'Agent Token already set'],
  InvalidAgentIdentity: [8, 'Invalid Agent Identity'],
  AgentIdentityAlreadyRegistered: [9, 'Agent Identity already registered'],
  InvalidGenesisAccount: [10, 'Invalid Genesis Account'],
  GenesisNotMintFunded: [11, 'Genesis account is not mint-funded'],
} as const

export function identityError(name: keyof typeof ERRORS): ProgramError {
  const [code, message] = ERRORS[name]
  return new ProgramError({ Custom: code }, message)
}
