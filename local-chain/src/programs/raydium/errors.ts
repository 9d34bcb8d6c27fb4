import { ProgramError } from '../stand-in.ts'

/** Errors of Raydium's program and of its framework. */
const ERRORS = {
  InstructionFallbackNotFound: [101, 'Fallback functions are not supported'],
  ConstraintRaw: [2003, 'A raw constraint was violated'],
  ConstraintSeeds: [2006, 'A seeds constraint was violated'],
  ConstraintAddress: [2012, 'An address constraint was violated'],
  ConstraintTokenMint: [2014, 'A token mint constraint was violated'],
  ConstraintTokenOwner: [2015, 'A token owner constraint was violated'],
  RequireGtViolated: [2505, 'A require_gt expression was violated'],
  AccountDiscriminatorMismatch: [3002, 'Account discriminator did not match what was expected'],
  AccountOwnedByWrongProgram: [3007, 'The given account is owned by a different program than expected'],
  AccountNotSigner: [3010, 'The given account did not sign'],
  AccountNotInitialized: [3012, 'The program expected this account to be already initialized'],
  NotApproved: [6000, 'Not approved'],
  ExceededSlippage: [6005, 'Exceeds desired slippage limit'],
  NoFeeCollect: [6014, 'No fee to collect'],
} as const

export function raydiumError(name: keyof typeof ERRORS): ProgramError {
  const [code, message] = ERRORS[name]
  return new ProgramError({ Custom: code }, message)
}
