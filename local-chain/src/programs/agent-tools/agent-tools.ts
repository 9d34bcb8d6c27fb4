import {
  findExecutionDelegateRecordV1Pda,
  getExecutionDelegateRecordV1AccountDataSerializer,
  getExecutiveProfileV1AccountDataSerializer,
} from '@metaplex-foundation/mpl-agent-registry'
import { Key } from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { executiveProfileAddress, identityAddress } from '@slipway/launch-model/addresses'
import { AGENT_TOOLS_PROGRAM, CORE_PROGRAM, IDENTITY_PROGRAM } from '@slipway/launch-model/programs'
import { decodeAsset } from '../core/layout.ts'
import { assertSigner, createAccount, isSystemProgram, namedAccounts } from '../instruction-accounts.ts'
import { type AccountRef, type Invocation, ProgramError, type StandIn } from '../stand-in.ts'
import { umi } from '../umi-context.ts'

/** The agent tools program: who may act for an agent's wallet besides its owner. */
export const agentTools: StandIn = {
  address: AGENT_TOOLS_PROGRAM,
  process(ctx) {
    switch (ctx.data[0]) {
      case 0:
        ctx.log('Instruction: RegisterExecutiveV1')
        return registerExecutive(ctx)
      case 1:
        ctx.log('Instruction: DelegateExecutionV1')
        return delegateExecution(ctx)
      case 2:
        ctx.log('Instruction: RevokeExecutionV1')
        return revokeExecution(ctx)
      default:
        throw toolsError('InvalidInstructionData')
    }
  },
}

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

/**
 * The owner of an agent, or the executive, ends a delegation. The public binary does not have this instruction: this
 * follows the official client, and its errors.
 */
export function revokeExecution(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, AGENT_TOOLS_PROGRAM, [
    'executionDelegateRecord',
    'agentAsset',
    'destination',
    'payer',
    'authority?',
    'systemProgram',
  ])
  const { executionDelegateRecord, agentAsset, destination, payer, authority } = accounts
  const account = ctx.read(executionDelegateRecord.address)
  if (account?.owner !== AGENT_TOOLS_PROGRAM || account.data[0] !== DELEGATE_RECORD)
    throw toolsError('ExecutionDelegateRecordMustBeInitialized')
  const [record] = getExecutionDelegateRecordV1AccountDataSerializer().deserialize(account.data)
  if ((record.agentAsset as string) !== agentAsset.address)
    throw toolsError('InvalidExecutionDelegateRecordDerivation')
  assertSigner(payer)
  if (authority) assertSigner(authority)
  if (!isSystemProgram(accounts.systemProgram)) throw toolsError('InvalidSystemProgram')
  const sender = (authority ?? payer).address as string
  if (sender !== loadOwner(ctx, agentAsset) && sender !== record.authority)
    throw toolsError('UnauthorizedRevoke')
  const paid = ctx.read(destination.address)
  if (!paid) throw toolsError('InvalidAccountData')
  ctx.write(executionDelegateRecord.address, undefined)
  ctx.write(destination.address, { ...paid, lamports: paid.lamports + account.lamports })
}

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
