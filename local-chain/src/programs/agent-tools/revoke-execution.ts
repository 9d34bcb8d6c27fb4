import { getExecutionDelegateRecordV1AccountDataSerializer } from '@metaplex-foundation/mpl-agent-registry'
import { AGENT_TOOLS_PROGRAM } from '@slipway/launch-model/programs'
import { assertSigner, isSystemProgram, namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { loadOwner } from './delegate-execution.ts'
import { toolsError } from './errors.ts'

const DELEGATE_RECORD = 2

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
