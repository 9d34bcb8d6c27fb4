import { getTransferV1InstructionDataSerializer, Key } from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { assertSigner, namedAccounts, readArguments } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import {
  assertLogWrapper,
  assertPermitted,
  assertSystemProgram,
  CORE,
  isOwner,
  loadKey,
  never,
  resolveAuthority,
} from './checks.ts'
import { coreError } from './errors.ts'
import { encodeAsset, replaceFront } from './layout.ts'

export function transfer(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, CORE, [
    'asset',
    'collection?',
    'payer',
    'authority?',
    'newOwner',
    'systemProgram?',
    'logWrapper?',
  ])
  readArguments(getTransferV1InstructionDataSerializer(), ctx)
  assertSigner(accounts.payer)
  const authority = resolveAuthority(accounts.payer, accounts.authority)
  assertSystemProgram(accounts.systemProgram)
  assertLogWrapper(accounts.logWrapper)
  if (loadKey(ctx, accounts.asset) !== Key.AssetV1) throw coreError('IncorrectAccount')

  const { asset, data } = assertPermitted(
    ctx,
    { asset: accounts.asset, collection: accounts.collection, authority },
    { byAsset: isOwner, byCollection: never },
  )
  const account = ctx.read(accounts.asset.address)
  if (!account) throw coreError('InvalidAsset')
  const front = encodeAsset({ ...asset, owner: accounts.newOwner.address as string as PublicKey })
  ctx.write(accounts.asset.address, { ...account, data: replaceFront(data, front) })
}
