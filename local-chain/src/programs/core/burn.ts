import { Key } from '@metaplex-foundation/mpl-core'
import { namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import {
  assertGuards,
  assertPermitted,
  assertPlainAsset,
  CORE,
  isOwner,
  loadCollection,
  never,
} from './checks.ts'
import { coreError } from './errors.ts'
import { encodeCollection, replaceFront } from './layout.ts'

/** Leaves one byte behind, so that the address cannot be used again; the rest of the rent goes to the payer. */
export function burn(ctx: Invocation): void {
  const accounts = namedAccounts(ctx, CORE, [
    'asset',
    'collection?',
    'payer',
    'authority?',
    'systemProgram?',
    'logWrapper?',
  ])
  const collection = accounts.collection && loadCollection(ctx, accounts.collection)
  const authority = assertGuards(accounts)
  assertPlainAsset(ctx, accounts.asset)
  assertPermitted(
    ctx,
    { asset: accounts.asset, collection: accounts.collection, authority },
    { byAsset: isOwner, byCollection: never },
  )

  const account = ctx.read(accounts.asset.address)
  const payer = ctx.read(accounts.payer.address)
  if (!account || !payer) throw coreError('InvalidAsset')
  const returned = ctx.rentExemptMinimum(account.data.length) - ctx.rentExemptMinimum(1)
  ctx.write(accounts.payer.address, { ...payer, lamports: payer.lamports + returned })
  ctx.write(accounts.asset.address, {
    ...account,
    lamports: account.lamports - returned,
    data: Uint8Array.of(Key.Uninitialized),
  })
  if (accounts.collection && collection) {
    const was = ctx.read(accounts.collection.address)
    if (!was) throw coreError('InvalidCollection')
    const front = encodeCollection({
      ...collection.collection,
      currentSize: collection.collection.currentSize - 1,
    })
    ctx.write(accounts.collection.address, { ...was, data: replaceFront(was.data, front) })
  }
}
