import { findAssetSignerPda, getExecuteV1InstructionDataSerializer, Key } from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { systemTransfer } from '../../ledger/system-instructions.ts'
import { assertSigner, namedAccounts, readArguments } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import {
  assertPermitted,
  assertSystemProgram,
  CORE,
  isOwner,
  loadKey,
  never,
  resolveAuthority,
} from './checks.ts'
import { coreError } from './errors.ts'
import { executeFee } from './fees.ts'

const NAMED = 7

/** Runs any instruction with the asset's own address among the signers, for whoever owns the asset. */
export function execute(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, CORE, [
    'asset',
    'collection?',
    'assetSigner',
    'payer',
    'authority?',
    'systemProgram',
    'program',
  ])
  const { instructionData } = readArguments(getExecuteV1InstructionDataSerializer(), ctx)
  if (ctx.read(accounts.asset.address)?.owner !== CORE) throw coreError('InvalidAsset')
  const [signer] = findAssetSignerPda(umi, { asset: accounts.asset.address as string as PublicKey })
  if (accounts.assetSigner.address !== (signer as string)) throw coreError('InvalidExecutePda')
  assertSigner(accounts.payer)
  const authority = resolveAuthority(accounts.payer, accounts.authority)
  assertSystemProgram(accounts.systemProgram)
  if (loadKey(ctx, accounts.asset) === Key.HashedAssetV1) throw coreError('NotAvailable')
  assertPermitted(
    ctx,
    { asset: accounts.asset, collection: accounts.collection, authority },
    { byAsset: isOwner, byCollection: never },
  )

  ctx.invoke(systemTransfer(accounts.payer.address, accounts.asset.address, executeFee(ctx)))
  ctx.invoke({
    program: accounts.program.address,
    accounts: ctx.accounts
      .slice(NAMED)
      .map(ref => (ref.address === accounts.assetSigner.address ? { ...ref, isSigner: true } : ref)),
    data: instructionData,
  })
}
