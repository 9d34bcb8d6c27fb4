import { getExecutionDelegateRecordV1AccountDataSerializer } from '@metaplex-foundation/mpl-agent-registry'
import { type ExecuteV1InstructionData, findAssetSignerPda, Key } from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { AGENT_TOOLS_PROGRAM } from '@slipway/launch-model/programs'
import { systemTransfer } from '../../ledger/system-instructions.ts'
import { namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { assertGuards, assertPermitted, CORE, coreError, isOwner, loadKey, never } from './checks.ts'

const NAMED_ACCOUNTS = 7
/** The first byte of a record of the agent tools program. */
const DELEGATE_RECORD = 2

// The real program's fee, which stays in the asset's account and depends on the rent.
const executeFee = (ctx: Invocation): bigint => ctx.rentExemptMinimum(7) - ctx.rentExemptMinimum(0)

/** Runs any instruction with the asset's wallet as a signer, on behalf of the asset's owner or a delegate. */
export function execute(ctx: Invocation, { instructionData }: ExecuteV1InstructionData): void {
  const accounts = namedAccounts(ctx, CORE, [
    'asset',
    'collection?',
    'assetSigner',
    'payer',
    'authority?',
    'systemProgram',
    'program',
  ])
  if (ctx.read(accounts.asset.address)?.owner !== CORE) throw coreError('InvalidAsset')
  const [signer] = findAssetSignerPda(umi, { asset: accounts.asset.address as string as PublicKey })
  if (accounts.assetSigner.address !== (signer as string)) throw coreError('InvalidExecutePda')
  const authority = assertGuards(accounts)
  if (loadKey(ctx, accounts.asset) === Key.HashedAssetV1) throw coreError('NotAvailable')
  const record = findDelegateRecord(ctx)
  const isDelegate = record?.agent === accounts.asset.address && record.authority === authority.address
  assertPermitted(
    ctx,
    { asset: accounts.asset, collection: accounts.collection, authority },
    { byAsset: (asset, address) => isDelegate || isOwner(asset, address), byCollection: never },
  )

  ctx.invoke(systemTransfer(accounts.payer.address, accounts.asset.address, executeFee(ctx)))
  ctx.invoke(
    {
      program: accounts.program.address,
      accounts: ctx.accounts
        .slice(NAMED_ACCOUNTS + (record ? 1 : 0))
        .map(ref => (ref.address === accounts.assetSigner.address ? { ...ref, isSigner: true } : ref)),
      data: instructionData,
    },
    [accounts.assetSigner.address],
  )
}

/** The record that a delegate passes before the accounts of the instruction. It is not passed on. */
function findDelegateRecord(ctx: Invocation): { agent: string; authority: string } | undefined {
  const first = ctx.accounts[NAMED_ACCOUNTS]
  const account = first && ctx.read(first.address)
  if (account?.owner !== AGENT_TOOLS_PROGRAM || account.data[0] !== DELEGATE_RECORD) return undefined
  const [record] = getExecutionDelegateRecordV1AccountDataSerializer().deserialize(account.data)
  return { agent: record.agentAsset, authority: record.authority }
}
