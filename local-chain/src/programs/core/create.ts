import {
  type CreateV1InstructionData,
  type CreateV2InstructionData,
  DataState,
  Key,
  updateAuthority,
} from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { systemCreateAccount } from '../../ledger/system-instructions.ts'
import { assertSigner, namedAccounts } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { assertGuards, assertPermitted, CORE, loadCollection } from './checks.ts'
import { coreError } from './errors.ts'
import { encodeAsset, encodeCollection, replaceFront } from './layout.ts'

// The real program's fee, which stays in the asset's account and depends on the rent.
const createFee = (ctx: Invocation): bigint => ctx.rentExemptMinimum(87) + 3_600n

/** Both versions of `create`. They differ in plugins, which need the real program. */
export function create(ctx: Invocation, args: CreateV1InstructionData | CreateV2InstructionData): void {
  const accounts = namedAccounts(ctx, CORE, [
    'asset',
    'collection?',
    'authority?',
    'payer',
    'owner?',
    'updateAuthority?',
    'systemProgram',
    'logWrapper?',
  ])
  assertSigner(accounts.asset)
  const authority = assertGuards(accounts)
  if (accounts.updateAuthority && accounts.collection) throw coreError('ConflictingAuthority')

  const collection = accounts.collection && loadCollection(ctx, accounts.collection)
  const updateAuthorityRef = accounts.updateAuthority ?? accounts.payer
  const data = encodeAsset({
    key: Key.AssetV1,
    owner: (accounts.owner ?? updateAuthorityRef).address as string as PublicKey,
    updateAuthority: accounts.collection
      ? updateAuthority('Collection', [accounts.collection.address as string as PublicKey])
      : updateAuthority('Address', [updateAuthorityRef.address as string as PublicKey]),
    name: args.name,
    uri: args.uri,
    seq: null,
  })
  if (args.dataState !== DataState.AccountState) throw coreError('NotAvailable')

  ctx.invoke(
    systemCreateAccount(accounts.payer.address, accounts.asset.address, {
      lamports: ctx.rentExemptMinimum(data.length) + createFee(ctx),
      space: data.length,
      owner: CORE,
    }),
  )
  const made = ctx.read(accounts.asset.address)
  if (!made) throw coreError('InvalidAsset')
  ctx.write(accounts.asset.address, { ...made, data })
  assertPermitted(
    ctx,
    { asset: accounts.asset, collection: accounts.collection, authority },
    {
      byAsset: asset => asset.updateAuthority.__kind !== 'Collection',
      byCollection: (of, who) => (of.updateAuthority as string) === who,
    },
  )
  refusePlugins(args)

  if (accounts.collection && collection) {
    const account = ctx.read(accounts.collection.address)
    if (!account) throw coreError('InvalidCollection')
    const front = encodeCollection({
      ...collection.collection,
      numMinted: collection.collection.numMinted + 1,
      currentSize: collection.collection.currentSize + 1,
    })
    ctx.write(accounts.collection.address, { ...account, data: replaceFront(account.data, front) })
  }
}

type Plugins = {
  plugins: { __option: string; value?: unknown[] }
  externalPluginAdapters?: { __option: string; value?: unknown[] }
}

export function refusePlugins(args: unknown): void {
  const { plugins, externalPluginAdapters } = args as Plugins
  if ((plugins.value?.length ?? 0) > 0 || (externalPluginAdapters?.value?.length ?? 0) > 0) {
    throw coreError('NotAvailable')
  }
}
