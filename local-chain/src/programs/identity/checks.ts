import {
  findAgentIdentityV2Pda,
  MPL_AGENT_IDENTITY_PROGRAM_ID,
} from '@metaplex-foundation/mpl-agent-registry'
import { Key } from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { CORE } from '../core/checks.ts'
import { type AccountRef, type Invocation, ProgramError } from '../stand-in.ts'
import { umi } from '../umi-context.ts'

export const IDENTITY = MPL_AGENT_IDENTITY_PROGRAM_ID as string as Address

/** Throws unless the identity account belongs to the asset; returns the bump of its address. */
export function assertIdentityAddress(identity: AccountRef, asset: AccountRef): number {
  const [address, bump] = findAgentIdentityV2Pda(umi, { asset: asset.address as string as PublicKey })
  if (identity.address !== (address as string)) throw identityError('InvalidAccountData')
  return bump
}

export function assertCoreAsset(ctx: Invocation, asset: AccountRef): void {
  const account = ctx.read(asset.address)
  if (account?.owner !== CORE) throw identityError('InvalidCoreAsset')
  // Core never leaves an empty account; the real program would panic on one.
  if (account.data.length === 0) throw new ProgramError('ProgramFailedToComplete', 'index out of bounds')
  if (account.data[0] !== Key.AssetV1) throw identityError('InvalidCoreAsset')
}

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
