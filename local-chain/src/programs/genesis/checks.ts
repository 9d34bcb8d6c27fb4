import {
  type BucketTimes,
  type Condition,
  findGenesisAccountV2Pda,
  findRaydiumBucketSignerPda,
  type GenesisAccountV2AccountData,
  getGenesisAccountV2AccountDataSerializer,
  getGenesisErrorFromName,
  Key,
} from '@metaplex-foundation/genesis'
import { isSome, type Option, type PublicKey, some, unwrapOption } from '@metaplex-foundation/umi'
import { type Codec, decode } from '@slipway/launch-model/bytes/codec'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  GENESIS_FEE_WALLET as FEE_WALLET,
  GENESIS_PROGRAM as GENESIS,
} from '@slipway/launch-model/programs'
import type { Address } from '@solana/kit'
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../ledger/account.ts'
import { decodeTokenAccount } from '../../ledger/token-balances.ts'
import { memoize } from '../../memoize.ts'
import { type AccountRef, type Invocation, ProgramError } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import type { BucketKind } from './buckets.ts'

export { ASSOCIATED_TOKEN_PROGRAM, FEE_WALLET, GENESIS }
export const asKey = (address: Address): PublicKey => address as string as PublicKey

export const genesisSerializer = getGenesisAccountV2AccountDataSerializer()

/** Loads a launch and checks its owner, type and address. */
export function loadGenesis(ctx: Invocation, genesisAccount: AccountRef): GenesisAccountV2AccountData {
  const account = ctx.read(genesisAccount.address)
  if (account?.owner !== GENESIS || account.data[0] !== Key.GenesisAccountV2) {
    throw genesisError('InvalidGenesisAccount')
  }
  const [genesis] = genesisSerializer.deserialize(account.data)
  const address = genesisAddress(`${genesis.baseMint} ${genesis.index}`)
  if (address !== asKey(genesisAccount.address)) throw genesisError('InvalidGenesisAccountDerivation')
  return genesis
}

/** Cached, because deriving an address takes longer than the rest of an instruction. */
const genesisAddress = memoize(10_000, (name: string): PublicKey => {
  const [baseMint, index] = name.split(' ') as [PublicKey, string]
  return findGenesisAccountV2Pda(umi, { baseMint, genesisIndex: Number(index) })[0]
})

/** Loads a launch that is open for deposits and trades. */
export function assertFinalized(ctx: Invocation, genesisAccount: AccountRef): GenesisAccountV2AccountData {
  const genesis = loadGenesis(ctx, genesisAccount)
  if (!genesis.finalized) throw genesisError('GenesisAccountNotFinalized')
  return genesis
}

/** The real program checks the mints after the bucket. */
export function assertMints(
  genesis: GenesisAccountV2AccountData,
  { baseMint, quoteMint }: Record<'baseMint' | 'quoteMint', AccountRef>,
): void {
  if (genesis.baseMint !== asKey(baseMint.address)) throw genesisError('InvalidMintForGenesisAccount')
  if (genesis.quoteMint !== asKey(quoteMint.address)) throw genesisError('InvalidQuoteMintForGenesisAccount')
}

/** Loads a bucket and checks its owner, kind, launch and address. */
export function loadBucket<T extends { bucket: { genesis: PublicKey; bucketIndex: number } }>(
  ctx: Invocation,
  bucket: AccountRef,
  genesisAccount: AccountRef,
  kind: Pick<BucketKind<unknown, T>, 'key' | 'deserialize' | 'pda'>,
): T {
  const account = ctx.read(bucket.address)
  if (account?.owner !== GENESIS || account.data[0] !== kind.key) throw genesisError('InvalidBucket')
  const [decoded] = kind.deserialize(account.data)
  if (decoded.bucket.genesis !== asKey(genesisAccount.address))
    throw genesisError('InvalidGenesisAccountForBucket')
  const [expected] = kind.pda(decoded.bucket.genesis, decoded.bucket.bucketIndex)
  if (expected !== asKey(bucket.address)) throw genesisError('InvalidBucketAccountDerivation')
  return decoded
}

/** What the launch model's formulas need of a bucket that has been loaded. */
export function readTerms<T>(ctx: Invocation, bucket: AccountRef, { layout }: { layout: Codec<T> }): T {
  const account = ctx.read(bucket.address)
  if (!account) throw genesisError('InvalidBucket')
  return decode(layout, account.data)
}

export function saveBucket(ctx: Invocation, bucket: AccountRef, data: Uint8Array): void {
  const account = ctx.read(bucket.address)
  if (!account) throw genesisError('InvalidBucket')
  ctx.write(bucket.address, { ...account, data })
}

export function assertCreatorFeeWallet(wallet: AccountRef, fee: Option<{ wallet: PublicKey }>): void {
  const configured = unwrapOption(fee)
  if (!configured) throw genesisError('InvalidCreatorFeeConfig')
  if (configured.wallet !== asKey(wallet.address)) throw genesisError('InvalidCreatorFeeWallet')
}

export function assertPrograms(
  tokenPrograms: readonly AccountRef[],
  { associatedTokenProgram, systemProgram }: Record<'associatedTokenProgram' | 'systemProgram', AccountRef>,
): void {
  for (const { address } of tokenPrograms) {
    if (address !== TOKEN_PROGRAM && address !== TOKEN_2022_PROGRAM)
      throw genesisError('InvalidSplTokenProgram')
  }
  if (associatedTokenProgram.address !== ASSOCIATED_TOKEN_PROGRAM) {
    throw genesisError('InvalidAssociatedTokenProgram')
  }
  if (systemProgram.address !== SYSTEM_PROGRAM) throw genesisError('InvalidSystemProgram')
}

/** Throws unless the account holds the quote token for this owner. */
export function assertHolder(
  ctx: Invocation,
  account: AccountRef,
  owner: AccountRef,
  quoteMint: AccountRef,
): void {
  const token = decodeTokenAccount(ctx.read(account.address))
  if (!token) throw genesisError('InvalidTokenAccountProgramOwner')
  if (token.owner !== owner.address) throw genesisError('InvalidQuoteTokenAccountOwner')
  if (token.mint !== quoteMint.address) throw genesisError('InvalidQuoteTokenAccountMint')
}

/** Throws unless the account holds the launch's own tokens. */
export function assertTokensOfLaunch(
  ctx: Invocation,
  account: AccountRef,
  genesisAccount: AccountRef,
  baseMint: AccountRef,
): void {
  const token = decodeTokenAccount(ctx.read(account.address))
  if (!token) throw genesisError('InvalidTokenAccountProgramOwner')
  if (token.owner !== genesisAccount.address) throw genesisError('InvalidTokenAccountOwner')
  if (token.mint !== baseMint.address) throw genesisError('InvalidMintForTokenAccount')
}

/**
 * Throws unless the account is the creator's. A missing one is accepted: it can only be created at the right address.
 */
export function assertCreatorAccount(
  ctx: Invocation,
  account: AccountRef,
  creator: AccountRef,
  quoteMint: AccountRef,
): void {
  if (!ctx.read(account.address)) return
  const token = decodeTokenAccount(ctx.read(account.address))
  if (!token) throw genesisError('InvalidTokenAccountProgramOwner')
  if (token.owner !== creator.address) throw genesisError('InvalidCreatorFeeWallet')
  if (token.mint !== quoteMint.address) throw genesisError('InvalidQuoteTokenAccountMint')
}

/** Throws unless the account holds this token, usually the quote token, for the program's fee wallet. */
export function assertFeeAccount(
  ctx: Invocation,
  account: AccountRef,
  mint: AccountRef,
  wrongMint = 'InvalidQuoteTokenAccountMint',
): void {
  const token = decodeTokenAccount(ctx.read(account.address))
  if (!token) throw genesisError('InvalidTokenAccountProgramOwner')
  if (token.owner !== FEE_WALLET) throw genesisError('InvalidFeeWallet')
  if (token.mint !== mint.address) throw genesisError(wrongMint)
}

/** The real program's error of this name, with its code and message. */
export function genesisError(name: string): ProgramError {
  const known = getGenesisErrorFromName(name, {} as Parameters<typeof getGenesisErrorFromName>[1])
  if (!known) throw new Error(`Genesis has no error named ${name}`)
  const { code } = known as unknown as { code: number }
  return new ProgramError({ Custom: code }, known.message.split('\n', 1)[0])
}

const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111' as Address
const UNIX_TIME_OFFSET = 32

/** The chain's time in Unix seconds. */
export function readUnixTime(ctx: Invocation): bigint {
  const data = ctx.read(CLOCK_SYSVAR)?.data
  if (!data) throw new Error('the chain has no clock')
  return new DataView(data.buffer, data.byteOffset).getBigInt64(UNIX_TIME_OFFSET, true)
}

/** Returns the bump of the signer's address. */
export function assertBucketSigner(signer: AccountRef, bucket: AccountRef): number {
  const [expected, bump] = findRaydiumBucketSignerPda(umi, { bucket: asKey(bucket.address) })
  if (expected !== asKey(signer.address)) throw genesisError('InvalidRaydiumBucketSigner')
  return bump
}

/** When a condition of another bucket was met; `undefined` if it was not, or if that bucket was not passed. */
export type BucketTime = (bucket: PublicKey, time: BucketTimes) => bigint | undefined

/** Whether the program has found the condition to be met. An `Always` condition never records a time. */
export const isMet = (condition: Condition): boolean =>
  condition.__kind === 'Always' || isSome(condition.triggeredTimestamp)

/**
 * Records in a condition that has come true when it did: at the present time, or at its offset from another bucket's
 * time.
 */
export function triggerIfDue<T extends Condition>(condition: T, now: bigint, timeOf?: BucketTime): T {
  const time = isMet(condition) ? undefined : dueTime(condition, now, timeOf)
  return time === undefined || time > now ? condition : { ...condition, triggeredTimestamp: some(time) }
}

function dueTime(condition: Condition, now: bigint, timeOf?: BucketTime): bigint | undefined {
  if (condition.__kind === 'TimeAbsolute') return condition.time <= now ? now : undefined
  if (condition.__kind !== 'TimeRelative') return undefined
  const reference = timeOf?.(condition.bucket, condition.bucketTime)
  return reference === undefined ? undefined : reference + condition.timeOffset
}

export function assertInitialized(...conditions: readonly Condition[]): void {
  if (conditions.some(({ __kind }) => __kind === 'Uninitialized'))
    throw genesisError('UninitializedCondition')
}

export function assertKind(condition: Condition, allowed: readonly Condition['__kind'][]): void {
  if (!allowed.includes(condition.__kind)) throw genesisError('InvalidConditionTypeForSlot')
}

/** Only absolute times can be compared in advance. */
export function assertInOrder(earlier: Condition, later: Condition, error: string): void {
  if (earlier.__kind !== 'TimeAbsolute' || later.__kind !== 'TimeAbsolute') return
  if (later.time <= earlier.time) throw genesisError(error)
}
