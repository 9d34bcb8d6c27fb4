import {
  type CreateCollectionV1InstructionData,
  type CreateCollectionV2InstructionData,
  type CreateV1InstructionData,
  type CreateV2InstructionData,
  DataState,
  getAddExternalPluginAdapterV1InstructionDataSerializer,
  getBurnV1InstructionDataSerializer,
  getCreateCollectionV1InstructionDataSerializer,
  getCreateCollectionV2InstructionDataSerializer,
  getCreateV1InstructionDataSerializer,
  getCreateV2InstructionDataSerializer,
  getExecuteV1InstructionDataSerializer,
  getTransferV1InstructionDataSerializer,
  Key,
  updateAuthority,
} from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { systemCreateAccount } from '../../ledger/system-instructions.ts'
import { assertSigner, decodeArguments, namedAccounts } from '../instruction-accounts.ts'
import { type Invocation, ProgramError, type StandIn } from '../stand-in.ts'
import { addAgentIdentity } from './add-agent-identity.ts'
import {
  assertGuards,
  assertPermitted,
  assertPlainAsset,
  assertSystemProgram,
  CORE,
  coreError,
  isOwner,
  loadCollection,
  never,
} from './checks.ts'
import { execute } from './execute.ts'
import { encodeAsset, encodeCollection, replaceFront } from './layout.ts'

/** Decodes the arguments before anything else, like the real program. */
const instruction =
  <T>(
    name: string,
    serializer: Parameters<typeof decodeArguments<T>>[0],
    run: (ctx: Invocation, args: T) => void,
  ) =>
  (ctx: Invocation): void => {
    const args = decodeArguments(serializer, ctx.data)
    ctx.log(`Instruction: ${name}`)
    run(ctx, args)
  }

const INSTRUCTIONS: Record<number, (ctx: Invocation) => void> = {
  0: instruction('Create', getCreateV1InstructionDataSerializer(), create),
  1: instruction('CreateCollection', getCreateCollectionV1InstructionDataSerializer(), createCollection),
  12: instruction('Burn', getBurnV1InstructionDataSerializer(), burn),
  14: instruction('Transfer', getTransferV1InstructionDataSerializer(), transfer),
  20: instruction('CreateV2', getCreateV2InstructionDataSerializer(), create),
  21: instruction('CreateCollectionV2', getCreateCollectionV2InstructionDataSerializer(), createCollection),
  22: instruction(
    'AddExternalPluginAdapter',
    getAddExternalPluginAdapterV1InstructionDataSerializer(),
    addAgentIdentity,
  ),
  31: instruction('Execute', getExecuteV1InstructionDataSerializer(), execute),
}
const LAST_INSTRUCTION = 41

/** The part of MPL Core that agents need. */
export const core: StandIn = {
  address: CORE,
  process(ctx) {
    const number = ctx.data[0]
    if (number === undefined || number > LAST_INSTRUCTION) throw new ProgramError('BorshIoError')
    const run = INSTRUCTIONS[number]
    if (run) return run(ctx)
    ctx.log('This instruction needs the real program: npm run chain:programs')
    throw coreError('NotAvailable')
  },
}

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

export function createCollection(
  ctx: Invocation,
  args: CreateCollectionV1InstructionData | CreateCollectionV2InstructionData,
): void {
  const accounts = namedAccounts(ctx, CORE, ['collection', 'updateAuthority?', 'payer', 'systemProgram'])
  assertSigner(accounts.collection)
  assertSigner(accounts.payer)
  assertSystemProgram(accounts.systemProgram)
  const authority = accounts.updateAuthority ?? accounts.payer
  const data = encodeCollection({
    key: Key.CollectionV1,
    updateAuthority: authority.address as string as PublicKey,
    name: args.name,
    uri: args.uri,
    numMinted: 0,
    currentSize: 0,
  })
  ctx.invoke(
    systemCreateAccount(accounts.payer.address, accounts.collection.address, {
      lamports: ctx.rentExemptMinimum(data.length),
      space: data.length,
      owner: CORE,
    }),
  )
  const made = ctx.read(accounts.collection.address)
  if (!made) throw coreError('InvalidCollection')
  ctx.write(accounts.collection.address, { ...made, data })
  refusePlugins(args)
}

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
