import { getMplCoreErrorFromName, Key, MPL_CORE_PROGRAM_ID } from '@metaplex-foundation/mpl-core'
import type { Address } from '@solana/kit'
import { assertSigner } from '../instruction-accounts.ts'
import { type AccountRef, type Invocation, ProgramError } from '../stand-in.ts'
import { type Asset, type Collection, decodeAsset, decodeCollection, decodeRegistry } from './layout.ts'

export const CORE = MPL_CORE_PROGRAM_ID as string as Address

/** An account's first byte. The real program reads it without checking the length and panics on an empty account. */
export function loadKey(ctx: Invocation, ref: AccountRef): Key {
  const key = ctx.read(ref.address)?.data[0]
  if (key === undefined) throw new ProgramError('ProgramFailedToComplete', 'index out of bounds')
  if (Key[key] === undefined) throw coreError('DeserializationError')
  return key
}

function loadAsset(ctx: Invocation, ref: AccountRef): { asset: Asset; data: Uint8Array } {
  const data = loadData(ctx, ref, Key.AssetV1)
  return { asset: decodeAsset(data)[0], data }
}

export function loadCollection(
  ctx: Invocation,
  ref: AccountRef,
): { collection: Collection; data: Uint8Array } {
  const data = loadData(ctx, ref, Key.CollectionV1)
  return { collection: decodeCollection(data)[0], data }
}

function loadData(ctx: Invocation, ref: AccountRef, key: Key): Uint8Array {
  if (loadKey(ctx, ref) !== key) throw coreError('DeserializationError')
  const account = ctx.read(ref.address)
  if (account?.owner !== CORE) throw new ProgramError('InvalidAccountOwner')
  return account.data
}

/** The checks that instructions start with, in the real program's order. Returns the authority. */
export function assertGuards(accounts: {
  payer: AccountRef
  authority?: AccountRef
  systemProgram?: AccountRef
  logWrapper?: AccountRef
}): AccountRef {
  const { payer, authority, systemProgram, logWrapper } = accounts
  assertSigner(payer)
  if (authority) assertSigner(authority)
  assertSystemProgram(systemProgram)
  if (logWrapper && logWrapper.address !== NOOP_PROGRAM) throw coreError('InvalidLogWrapperProgram')
  return authority ?? payer
}
const NOOP_PROGRAM = 'noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV'

/** Refuses an asset whose account holds only a hash. */
export function assertPlainAsset(ctx: Invocation, ref: AccountRef): void {
  const key = loadKey(ctx, ref)
  if (key === Key.HashedAssetV1) throw coreError('MissingCompressionProof')
  if (key !== Key.AssetV1) throw coreError('IncorrectAccount')
}

type Approvals = {
  /** Whether the asset itself approves the authority. */
  readonly byAsset: (asset: Asset, authority: Address) => boolean
  readonly byCollection: (collection: Collection, authority: Address) => boolean
}

/**
 * Throws unless the asset or its collection approves the authority. An `AgentIdentity` plugin abstains, except when
 * it finds a delegate who executes, and the stand-in cannot add any other plugin.
 */
export function assertPermitted(
  ctx: Invocation,
  {
    asset: ref,
    collection: collectionRef,
    authority,
  }: { asset: AccountRef; collection: AccountRef | undefined; authority: AccountRef },
  { byAsset, byCollection }: Approvals,
): { asset: Asset; data: Uint8Array } {
  const { asset, data } = loadAsset(ctx, ref)
  let collection: Collection | undefined
  if (asset.updateAuthority.__kind === 'Collection') {
    if (!collectionRef) throw coreError('MissingCollection')
    if (collectionRef.address !== (asset.updateAuthority.fields[0] as string))
      throw coreError('InvalidCollection')
    collection = loadCollection(ctx, collectionRef).collection
  } else if (collectionRef) throw coreError('InvalidCollection')
  refuseUnknownPlugins(data)
  const approved =
    byAsset(asset, authority.address) ||
    (collection !== undefined && byCollection(collection, authority.address))
  if (!approved) throw coreError('NoApprovals')
  return { asset, data }
}

/** An asset that was not created by the stand-in can have plugins whose rules are not implemented here. */
function refuseUnknownPlugins(data: Uint8Array): void {
  const registry = decodeRegistry(data)
  const known = registry?.externalRegistry.every(record => record.lifecycleChecks.__option === 'Some') ?? true
  if ((registry?.registry.length ?? 0) > 0 || !known) throw coreError('NotAvailable')
}

export const isOwner = (asset: Asset, authority: Address): boolean => (asset.owner as string) === authority
export const never = (): boolean => false

export function assertSystemProgram(ref: AccountRef | undefined): void {
  if (ref && ref.address !== '11111111111111111111111111111111') throw coreError('InvalidSystemProgram')
}

type CoreProgram = Parameters<typeof getMplCoreErrorFromName>[1]

/** The real program's error of this name, with its code and message. */
export function coreError(name: string): ProgramError {
  const known = getMplCoreErrorFromName(name, {} as CoreProgram)
  if (!known) throw new Error(`MPL Core has no error named ${name}`)
  // Every error class has a code, but their common type does not declare it.
  const { code } = known as unknown as { code: number }
  return new ProgramError({ Custom: code }, `Error: ${known.message.split('\n', 1)[0]}`)
}
