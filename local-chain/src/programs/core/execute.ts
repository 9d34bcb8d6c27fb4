import { type ExecuteV1InstructionData, findAssetSignerPda, Key } from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { systemTransfer } from '../../ledger/system-instructions.ts'
import { namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { assertGuards, assertPermitted, CORE, isOwner, loadKey, never } from './checks.ts'
import { coreError } from './errors.ts'

const NAMED_ACCOUNTS = 7

// The real program's fee, which stays in the asset's account and depends on the rent.
const executeFee = (ctx: Invocation): bigint => ctx.rentExemptMinimum(7) - ctx.rentExemptMinimum(0)

/** Runs any instruction with the asset's wallet as a signer, on behalf of the asset's owner. */
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
  assertPermitted(
    ctx,
    { asset: accounts.asset, collection: accounts.collection, authority },
    { byAsset: isOwner, byCollection: never },
  )

  ctx.invoke(systemTransfer(accounts.payer.address, accounts.asset.address, executeFee(ctx)))
  ctx.invoke(
    {
      program: accounts.program.address,
      accounts: ctx.accounts
        .slice(NAMED_ACCOUNTS)
        .map(ref => (ref.address === accounts.assetSigner.address ? { ...ref, isSigner: true } : ref)),
      data: instructionData,
    },
    [accounts.assetSigner.address],
  )
}
