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
import { identityError } from './errors.ts'

export const IDENTITY = MPL_AGENT_IDENTITY_PROGRAM_ID as string as Address

/** The bump of the identity's address, once it is known to be the asset's. */
export function assertIdentityAddress(identity: AccountRef, asset: AccountRef): number {
  const [address, bump] = findAgentIdentityV2Pda(umi, { asset: asset.address as string as PublicKey })
  if (identity.address !== (address as string)) throw identityError('InvalidAccountData')
  return bump
}

export function assertCoreAsset(ctx: Invocation, asset: AccountRef): void {
  const account = ctx.read(asset.address)
  if (account?.owner !== CORE) throw identityError('InvalidCoreAsset')
  // An account of Core without a byte cannot exist; the real program would panic on it.
  if (account.data.length === 0) throw new ProgramError('ProgramFailedToComplete', 'index out of bounds')
  if (account.data[0] !== Key.AssetV1) throw identityError('InvalidCoreAsset')
}
