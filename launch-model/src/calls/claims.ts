import type { Address } from '@slipway/schema/address'
import {
  associatedTokenAddress,
  bucketSignerAddress,
  poolAuthorityAddress,
  poolStateAddress,
  poolVaultAddress,
  raydiumSignerAddress,
} from '../addresses.ts'
import { struct, zeros } from '../bytes/codec.ts'
import { type Call, call, defineCall, readonly, writable, writableSigner } from '../call.ts'
import { type BucketKindName, becomesPool, kindOf } from '../kinds/kinds.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  GENESIS_PROGRAM,
  RAYDIUM_CREATOR_FEE_CONFIGS,
  RAYDIUM_FEE_WALLET,
  RAYDIUM_PROGRAMS,
  type RaydiumEnvironment,
  SYSTEM_PROGRAM,
} from '../programs.ts'
import { openedTokens, type Token } from './tokens.ts'

/** Fees of a bucket that are paid to its creator. */
export interface FeeClaim {
  /** Pays the fee and any rent, and is the only signer. May be the wallet itself. */
  payer: Address
  /** A curve or an AMM bucket. */
  bucket: { kind: BucketKindName; address: Address; genesis: Address }
  /** The creator-fee wallet of the bucket; the funds can only go to its token account. May be a derived address. */
  wallet: Address
  baseMint: Address
  quoteMint: Address
  /** The program that owns the quote mint. */
  quoteTokenProgram: Address
  /** See `Token`. */
  quoteAccountBytes?: number | undefined
}

/** Fees of an AMM bucket that are still in its pool. */
export interface Collection {
  environment: RaydiumEnvironment
  /** The program that owns the base mint. */
  baseTokenProgram: Address
  /** See `Token`. */
  baseAccountBytes?: number | undefined
  /** The configuration that the pool names, if it names one. */
  ammConfig?: Address | undefined
}

/** An instruction without arguments is its number, padded to eight bytes. */
const plain = struct({ _padding: zeros(7) })
export const collectFromPool = defineCall('collectFromPool', GENESIS_PROGRAM, 104, plain)
export const claimFromCurve = defineCall('claimFromCurve', GENESIS_PROGRAM, 105, plain)
export const claimFromPool = defineCall('claimFromPool', GENESIS_PROGRAM, 106, plain)

export const quoteTokenOf = ({ quoteMint, quoteTokenProgram, quoteAccountBytes }: FeeClaim): Token => ({
  mint: quoteMint,
  program: quoteTokenProgram,
  accountBytes: quoteAccountBytes,
})

/** An account for the quote token. */
const quoteTokens = ({ quoteMint, quoteTokenProgram }: FeeClaim, owner: Address): Address =>
  associatedTokenAddress(quoteMint, owner, quoteTokenProgram)

/** `claimBondingCurveCreatorFeeV2` or `claimRaydiumCreatorFeeV2` of Genesis. Wrapped native currency stays wrapped. */
export function claimCall(claim: FeeClaim): Call {
  const { bucket, wallet } = claim
  if (kindOf(bucket.kind).creatorFeeAt === undefined)
    throw new RangeError(`buckets of the kind ${bucket.kind} pay no creator`)
  const isPool = becomesPool(bucket.kind)
  const holder = isPool ? bucketSignerAddress(bucket.address) : bucket.address
  return call(isPool ? claimFromPool : claimFromCurve, {}, [
    readonly(bucket.genesis, 'the launch'),
    writable(bucket.address, 'the source'),
    readonly(claim.baseMint, 'the launch’s token'),
    readonly(claim.quoteMint, 'the token that is paid out'),
    ...(isPool ? [readonly(holder, 'the holder of the fees')] : []),
    writable(quoteTokens(claim, holder), 'the account that holds the fees'),
    readonly(wallet, 'the recipient'),
    openedTokens(quoteTokenOf(claim), wallet, 'the recipient’s token account'),
    writableSigner(claim.payer, 'the payer'),
    readonly(claim.quoteTokenProgram, 'the token program'),
    readonly(ASSOCIATED_TOKEN_PROGRAM, 'the associated token program'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
  ])
}

/** `collectRaydiumCpmmFeesWithCreatorFeeV2` of Genesis: moves the fees of a pool into its bucket. */
export function collectCall(
  claim: FeeClaim,
  { environment, baseTokenProgram, baseAccountBytes, ammConfig }: Collection,
): Call {
  const { bucket, baseMint, quoteMint } = claim
  const poolState = poolStateAddress(bucket.address)
  const bucketSigner = bucketSignerAddress(bucket.address)
  const raydiumSigner = raydiumSignerAddress()
  return call(collectFromPool, {}, [
    writable(baseMint, 'the launch’s token'),
    readonly(quoteMint, 'the token that is paid out'),
    writable(raydiumSigner, 'the pool’s creator'),
    writableSigner(claim.payer, 'the payer'),
    writable(poolState, 'the pool'),
    readonly(ammConfig ?? RAYDIUM_CREATOR_FEE_CONFIGS[environment], 'the pool’s configuration'),
    readonly(poolAuthorityAddress(environment), 'the pool’s authority'),
    writable(poolVaultAddress(environment, poolState, baseMint), 'the pool’s vault'),
    writable(poolVaultAddress(environment, poolState, quoteMint), 'the pool’s vault'),
    openedTokens(
      { mint: baseMint, program: baseTokenProgram, accountBytes: baseAccountBytes },
      raydiumSigner,
      'the creator’s token account',
      { isForGood: true },
    ),
    writable(quoteTokens(claim, raydiumSigner), 'the creator’s token account'),
    readonly(RAYDIUM_FEE_WALLET, 'the protocol’s fee wallet'),
    writable(quoteTokens(claim, RAYDIUM_FEE_WALLET), 'the protocol’s token account'),
    readonly(bucket.genesis, 'the launch'),
    writable(bucket.address, 'the source'),
    readonly(bucketSigner, 'the holder of the fees'),
    openedTokens(quoteTokenOf(claim), bucketSigner, 'the account that holds the fees', { isForGood: true }),
    readonly(RAYDIUM_PROGRAMS[environment], 'Raydium'),
    readonly(baseTokenProgram, 'the token program'),
    readonly(claim.quoteTokenProgram, 'the token program'),
    readonly(ASSOCIATED_TOKEN_PROGRAM, 'the associated token program'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
  ])
}
