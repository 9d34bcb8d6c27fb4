import { getExecutiveProfileV1AccountDataSerializer } from '@metaplex-foundation/mpl-agent-registry'
import type { PublicKey } from '@metaplex-foundation/umi'
import { executiveProfileAddress } from '@slipway/launch-model/addresses'
import { AGENT_TOOLS_PROGRAM } from '@slipway/launch-model/programs'
import { createAccount } from '../create-account.ts'
import { assertSigner, isSystemProgram, namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { isUninitialized, toolsError } from './errors.ts'

const EXECUTIVE_PROFILE = 1

/** Makes a wallet one that agents can delegate to. */
export function registerExecutive(ctx: Invocation): void {
  const { executiveProfile, payer, authority, systemProgram } = namedAccounts(ctx, AGENT_TOOLS_PROGRAM, [
    'executiveProfile',
    'payer',
    'authority?',
    'systemProgram',
  ])
  const executive = authority ?? payer
  if (!isUninitialized(ctx, executiveProfile)) throw toolsError('ExecutiveProfileMustBeUninitialized')
  if (executiveProfile.address !== executiveProfileAddress(executive.address as never))
    throw toolsError('InvalidExecutiveProfileDerivation')
  assertSigner(payer)
  if (authority) assertSigner(authority)
  if (!isSystemProgram(systemProgram)) throw toolsError('InvalidSystemProgram')
  const data = getExecutiveProfileV1AccountDataSerializer().serialize({
    key: EXECUTIVE_PROFILE,
    authority: executive.address as string as PublicKey,
  })
  createAccount(ctx, { created: executiveProfile, payer, owner: AGENT_TOOLS_PROGRAM }, data)
}
