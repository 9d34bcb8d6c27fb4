import {
  findExecutionDelegateRecordV1Pda,
  getExecutionDelegateRecordV1AccountDataSerializer,
  getExecutiveProfileV1AccountDataSerializer,
} from '@metaplex-foundation/mpl-agent-registry'
import { Key } from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { identityAddress } from '@slipway/launch-model/addresses'
import { AGENT_TOOLS_PROGRAM, CORE_PROGRAM, IDENTITY_PROGRAM } from '@slipway/launch-model/programs'
import { decodeAsset } from '../core/layout.ts'
import { createAccount } from '../create-account.ts'
import { assertSigner, isSystemProgram, namedAccounts } from '../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { isUninitialized, toolsError } from './errors.ts'

const EXECUTIVE_PROFILE = 1
const DELEGATE_RECORD = 2

/** The owner of an agent lets an executive act for the agent's wallet. */
export function delegateExecution(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, AGENT_TOOLS_PROGRAM, [
    'executiveProfile',
    'agentAsset',
    'agentIdentity',
    'executionDelegateRecord',
    'payer',
    'authority?',
    'systemProgram',
  ])
  const { executiveProfile, agentAsset, agentIdentity, executionDelegateRecord: record, payer } = accounts
  const profile = ctx.read(executiveProfile.address)
  if (profile?.owner !== AGENT_TOOLS_PROGRAM || profile.data[0] !== EXECUTIVE_PROFILE)
    // The program's own choice of error.
    throw toolsError('ExecutiveProfileMustBeUninitialized')
  const owner = loadOwner(ctx, agentAsset)
  if (ctx.read(agentIdentity.address)?.owner !== IDENTITY_PROGRAM)
    throw toolsError('AgentIdentityNotRegistered')
  if (agentIdentity.address !== identityAddress(agentAsset.address as never))
    throw toolsError('InvalidAgentIdentity')
  if (!isUninitialized(ctx, record)) throw toolsError('ExecutionDelegateRecordMustBeUninitialized')
  const keys = {
    executiveProfile: executiveProfile.address as string as PublicKey,
    agentAsset: agentAsset.address as string as PublicKey,
  }
  const [address, bump] = findExecutionDelegateRecordV1Pda(umi, keys)
  if (record.address !== (address as string)) throw toolsError('InvalidExecutionDelegateRecordDerivation')
  assertSigner(payer)
  if (accounts.authority) assertSigner(accounts.authority)
  if (!isSystemProgram(accounts.systemProgram)) throw toolsError('InvalidSystemProgram')
  if ((accounts.authority ?? payer).address !== owner)
    throw toolsError('AssetOwnerMustBeTheOneToDelegateExecution')
  const [{ authority }] = getExecutiveProfileV1AccountDataSerializer().deserialize(profile.data)
  const data = getExecutionDelegateRecordV1AccountDataSerializer().serialize({
    key: DELEGATE_RECORD,
    bump,
    authority,
    ...keys,
  })
  createAccount(ctx, { created: record, payer, owner: AGENT_TOOLS_PROGRAM }, data)
}

/** The owner of a live Core asset. */
export function loadOwner(ctx: Invocation, { address }: AccountRef): string {
  const account = ctx.read(address)
  if (account?.owner !== CORE_PROGRAM || account.data[0] !== Key.AssetV1) throw toolsError('InvalidCoreAsset')
  return decodeAsset(account.data)[0].owner
}
