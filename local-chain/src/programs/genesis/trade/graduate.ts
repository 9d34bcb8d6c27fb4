import {
  deriveRaydiumPDAsV2,
  RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET,
  type RaydiumCpmmBucketV2AccountData,
  type RaydiumPoolAccountsV2,
} from '@metaplex-foundation/genesis'
import { isSome, some } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { systemTransfer } from '../../../ledger/system-instructions.ts'
import { assertSigner, createAccount } from '../../instruction-accounts.ts'
import { raydiumError } from '../../raydium/errors.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { umi } from '../../umi-context.ts'
import { type AccountsOf, accountsOf } from '../accounts.ts'
import { raydiumCpmm } from '../buckets.ts'
import {
  asKey,
  assertBucketSigner,
  assertFinalized,
  assertHolder,
  assertMints,
  assertPrograms,
  genesisError,
  isMet,
  loadBucket,
  readUnixTime,
  saveBucket,
  triggerIfDue,
} from '../checks.ts'
import { assertRaydiumProgram } from '../creator-fees.ts'
import { newPool } from '../pool-state.ts'
import {
  ensureTokenAccount,
  initializeMint,
  initializeTokenAccount,
  mintTokens,
  moveTokens,
} from '../tokens.ts'

const POOL_FEE_LAMPORTS = 150_000_000n
const TOKEN_ACCOUNT_BYTES = 165
const MINT_BYTES = 82
const OBSERVATION_BYTES = 4_075
const LP_DECIMALS = 9
/** Where a mint has its decimals. */
const DECIMALS_AT = 44
/** LP tokens that Raydium locks forever. */
const LOCKED_LP = 100n

/**
 * Creates the pool of a launch at the price of its sale. On the real chain, Raydium's program creates the pool. Here
 * this stand-in does, but only the accounts that others read.
 */
export function graduate(ctx: Invocation): void {
  const accounts = accountsOf(ctx, 'graduate')
  const { bucket, bucketSigner, quoteMint } = accounts
  if (accounts.payer) assertSigner(accounts.payer)
  assertPrograms([accounts.baseTokenProgram, accounts.quoteTokenProgram], accounts)
  assertRaydiumProgram(accounts.raydiumProgram)
  const genesis = assertFinalized(ctx, accounts.genesisAccount)
  const decoded = loadBucket(ctx, bucket, accounts.genesisAccount, raydiumCpmm)
  assertMints(genesis, accounts)
  assertBucketSigner(bucketSigner, bucket)
  assertHolder(ctx, accounts.bucketSignerQuoteTokenAccount, bucketSigner, quoteMint)
  if (decoded.graduatedBaseTokenAmount > 0n) throw genesisError('BucketAlreadyGraduated')
  const now = readUnixTime(ctx)
  const startCondition = triggerIfDue(decoded.startCondition, now)
  if (!isMet(startCondition)) throw genesisError('GraduationNotStarted')
  const { base, quote } = poolAmounts(decoded)
  const hasCreatorFee = isSome(decoded.extensions.creatorFee)
  const keys = assertPoolAddresses(accounts, hasCreatorFee)

  const lpTokens = squareRoot(base * quote) - LOCKED_LP
  createPool(ctx, accounts, lpTokens, decimals =>
    newPool(keys, {
      decimals,
      tokenPrograms: { base: accounts.baseTokenProgram.address, quote: accounts.quoteTokenProgram.address },
      lpSupply: lpTokens,
      openTime: now,
      hasCreatorFee,
    }),
  )
  moveTokens(
    ctx,
    {
      from: accounts.genesisBaseTokenAccount,
      to: accounts.baseVault,
      authority: accounts.genesisAccount,
      tokenProgram: accounts.baseTokenProgram,
    },
    base,
  )
  moveTokens(
    ctx,
    {
      from: accounts.bucketSignerQuoteTokenAccount,
      to: accounts.quoteVault,
      authority: bucketSigner,
      tokenProgram: accounts.quoteTokenProgram,
    },
    quote,
  )
  saveBucket(
    ctx,
    bucket,
    raydiumCpmm.serialize({
      ...decoded,
      startCondition,
      graduateCondition: { ...decoded.graduateCondition, triggeredTimestamp: some(now) },
      quoteTokenInSigner: 0n,
      graduatedBaseTokenAmount: base,
      lpTokenBalance: lpTokens,
      poolState: asKey(accounts.poolState.address),
      bucket: { ...decoded.bucket, baseTokenBalance: decoded.bucket.baseTokenBalance - base },
    }),
  )
}

type Accounts = AccountsOf<'graduate'>

/** The whole proceeds, and as many tokens as they bought at the end of the sale. Without a price there is no pool. */
function poolAmounts({
  quoteTokenInSigner: quote,
  priceNumerator,
  priceDenominator,
  bucket,
}: RaydiumCpmmBucketV2AccountData): { base: bigint; quote: bigint } {
  if (quote === 0n) throw genesisError('RaydiumBucketNotFunded')
  if (priceNumerator === 0n || priceDenominator === 0n) throw genesisError('InvalidAmount')
  const atPrice = (quote * priceNumerator) / priceDenominator
  const base = atPrice < bucket.baseTokenBalance ? atPrice : bucket.baseTokenBalance
  if (base * quote <= LOCKED_LP * LOCKED_LP) throw genesisError('InvalidAmount')
  return { base, quote }
}

/** Throws unless the accounts are those of the future pool. Returns them. */
function assertPoolAddresses(accounts: Accounts, creatorFee: boolean): RaydiumPoolAccountsV2 {
  const mainnet = asKey(accounts.raydiumProgram.address) === RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET
  const expected = deriveRaydiumPDAsV2(
    umi,
    asKey(accounts.baseMint.address),
    asKey(accounts.bucket.address),
    {
      quoteMint: asKey(accounts.quoteMint.address),
      creatorFee,
      env: mainnet ? 'mainnet' : 'devnet',
    },
  )
  const is = (name: keyof Accounts & keyof typeof expected) =>
    (accounts[name].address as string) === expected[name]
  if (!is('poolState')) throw genesisError('InvalidPoolStatePda')
  if (!is('raydiumSigner')) throw genesisError('InvalidRaydiumSigner')
  if (!is('permission')) throw genesisError('InvalidRaydiumPermissionPda')
  if (!is('ammConfig')) throw genesisError('InvalidRaydiumAmmConfig')
  if (!is('createPoolFee')) throw raydiumError('ConstraintAddress')
  for (const name of ['poolAuthority', 'lpMint', 'baseVault', 'quoteVault', 'observationState'] as const)
    if (!is(name)) throw raydiumError('ConstraintSeeds')
  return expected
}

/** Without a payer, the lamports come from what was put aside when the bucket was added. */
function createPool(
  ctx: Invocation,
  accounts: Accounts,
  lpTokens: bigint,
  encodePool: (decimals: { base: number; quote: number }) => Uint8Array,
): void {
  const { bucketSigner, poolState, baseMint, quoteMint, lpMint, poolAuthority, raydiumProgram } = accounts
  const payer = accounts.payer ?? bucketSigner
  const derived = accounts.payer ? [] : [bucketSigner.address]
  const create = (created: AccountRef, owner: Address, data: Uint8Array) =>
    createAccount(ctx, { created, payer, owner }, data, derived)
  ctx.invoke(systemTransfer(payer.address, accounts.createPoolFee.address, POOL_FEE_LAMPORTS), derived)
  const decimalsOf = ({ address }: AccountRef) => ctx.read(address)?.data[DECIMALS_AT] ?? 0
  const decimals = { base: decimalsOf(baseMint), quote: decimalsOf(quoteMint) }
  create(poolState, raydiumProgram.address, encodePool(decimals))
  create(accounts.observationState, raydiumProgram.address, new Uint8Array(OBSERVATION_BYTES))
  for (const [account, mint, tokenProgram] of [
    [accounts.baseVault, baseMint, accounts.baseTokenProgram],
    [accounts.quoteVault, quoteMint, accounts.quoteTokenProgram],
  ] as const) {
    create(account, tokenProgram.address, new Uint8Array(TOKEN_ACCOUNT_BYTES))
    initializeTokenAccount(ctx, { account, mint, owner: poolAuthority, tokenProgram })
  }
  const tokenProgram = accounts.baseTokenProgram
  create(lpMint, tokenProgram.address, new Uint8Array(MINT_BYTES))
  initializeMint(ctx, { mint: lpMint, authority: poolAuthority, tokenProgram }, LP_DECIMALS)
  const lpAccount = accounts.bucketSignerLpTokenAccount
  const { systemProgram } = accounts
  ensureTokenAccount(
    ctx,
    { account: lpAccount, owner: bucketSigner, mint: lpMint, payer, tokenProgram, systemProgram },
    derived,
  )
  mintTokens(ctx, { mint: lpMint, to: lpAccount, authority: poolAuthority, tokenProgram }, lpTokens)
}

/** Newton's method, rounded down. */
function squareRoot(value: bigint): bigint {
  let root = value
  for (let next = (value + 1n) / 2n; next < root; next = (root + value / root) / 2n) root = next
  return root
}
