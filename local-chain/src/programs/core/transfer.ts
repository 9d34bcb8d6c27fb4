import type { PublicKey } from '@metaplex-foundation/umi'
import { namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { assertGuards, assertPermitted, assertPlainAsset, CORE, isOwner, never } from './checks.ts'
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
  const authority = assertGuards(accounts)
  assertPlainAsset(ctx, accounts.asset)

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
