import {
  associatedTokenAddress,
  bucketSignerAddress,
  poolAuthorityAddress,
  poolStateAddress,
  poolVaultAddress,
  raydiumSignerAddress,
} from '@slipway/launch-model/addresses'
import type { Bucket } from '@slipway/launch-model/bucket'
import { type Instruction, readonly, writable, writableSigner } from '@slipway/launch-model/call'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  GENESIS_PROGRAM,
  RAYDIUM_CREATOR_FEE_CONFIGS,
  RAYDIUM_FEE_WALLET,
  RAYDIUM_PROGRAMS,
  type RaydiumEnvironment,
  SYSTEM_PROGRAM,
} from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { compileTransaction } from './compile-transaction.ts'

export interface Claim {
  /** Pays the fee and any rent, and is the only signer. May be the wallet itself. */
  payer: Address
  /** A curve or an AMM bucket. */
  bucket: Pick<Bucket, 'kind' | 'genesis'> & { address: Address }
  /** The creator-fee wallet of the bucket; the funds can only go to its token account. May be a derived address. */
  wallet: Address
  baseMint: Address
  quoteMint: Address
  /** The program that owns the quote mint. */
  quoteTokenProgram: Address
  /** Whether the wallet has no token account for the quote mint yet. The claim still succeeds if one exists by then. */
  createsTokenAccount: boolean
  /** For an AMM bucket whose pool holds fees that have not been collected yet. */
  collect?: Collect | undefined
  blockhash: string
}

interface Collect {
  environment: RaydiumEnvironment
  /** The program that owns the base mint. */
  baseTokenProgram: Address
  /** The configuration that the pool names, if it names one. */
  ammConfig?: Address | undefined
}

/**
 * What the payer signs to have a bucket's fees paid to its creator. Fees in the pool are collected first, then all fees
 * are claimed. Wrapped native currency stays wrapped, as with the official instructions. Base64, unsigned.
 */
export function buildClaimTransaction(claim: Claim): string {
  const instructions = claim.createsTokenAccount ? [createTokenAccount(claim)] : []
  if (claim.bucket.kind === 'bondingCurveV2') instructions.push(claimFromCurve(claim))
  else if (claim.bucket.kind === 'raydiumCpmmV2') {
    if (claim.collect) instructions.push(collectFromPool(claim, claim.collect))
    instructions.push(claimFromPool(claim))
  } else throw new RangeError(`buckets of the kind ${claim.bucket.kind} pay no creator`)
  return compileTransaction(claim.payer, instructions, claim.blockhash)
}

/** An account for the quote token. */
const quoteTokens = ({ quoteMint, quoteTokenProgram }: Claim, owner: Address): Address =>
  associatedTokenAddress(quoteMint, owner, quoteTokenProgram)

/** An instruction of Genesis begins with its number, padded to eight bytes. */
const COLLECT_FROM_POOL = Uint8Array.of(104, 0, 0, 0, 0, 0, 0, 0)
const CLAIM_FROM_CURVE = Uint8Array.of(105, 0, 0, 0, 0, 0, 0, 0)
const CLAIM_FROM_POOL = Uint8Array.of(106, 0, 0, 0, 0, 0, 0, 0)
/** The official builder of that name leaves the byte out, which makes it a plain `Create`. */
const CREATE_IDEMPOTENT = Uint8Array.of(1)

/** `CreateIdempotent` of the associated token program: creates the account unless it exists. */
const createTokenAccount = (claim: Claim): Instruction => ({
  program: ASSOCIATED_TOKEN_PROGRAM,
  data: CREATE_IDEMPOTENT,
  accounts: [
    writableSigner(claim.payer),
    writable(quoteTokens(claim, claim.wallet)),
    readonly(claim.wallet),
    readonly(claim.quoteMint),
    readonly(SYSTEM_PROGRAM),
    readonly(claim.quoteTokenProgram),
  ],
})

/** `claimBondingCurveCreatorFeeV2` of Genesis. */
const claimFromCurve = (claim: Claim): Instruction => ({
  program: GENESIS_PROGRAM,
  data: CLAIM_FROM_CURVE,
  accounts: [
    readonly(claim.bucket.genesis),
    writable(claim.bucket.address),
    readonly(claim.baseMint),
    readonly(claim.quoteMint),
    writable(quoteTokens(claim, claim.bucket.address)),
    readonly(claim.wallet),
    writable(quoteTokens(claim, claim.wallet)),
    writableSigner(claim.payer),
    readonly(claim.quoteTokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
  ],
})

/** `claimRaydiumCreatorFeeV2` of Genesis. */
function claimFromPool(claim: Claim): Instruction {
  const bucketSigner = bucketSignerAddress(claim.bucket.address)
  return {
    program: GENESIS_PROGRAM,
    data: CLAIM_FROM_POOL,
    accounts: [
      readonly(claim.bucket.genesis),
      writable(claim.bucket.address),
      readonly(claim.baseMint),
      readonly(claim.quoteMint),
      readonly(bucketSigner),
      writable(quoteTokens(claim, bucketSigner)),
      readonly(claim.wallet),
      writable(quoteTokens(claim, claim.wallet)),
      writableSigner(claim.payer),
      readonly(claim.quoteTokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      readonly(SYSTEM_PROGRAM),
    ],
  }
}

/** `collectRaydiumCpmmFeesWithCreatorFeeV2` of Genesis. */
function collectFromPool(claim: Claim, { environment, baseTokenProgram, ammConfig }: Collect): Instruction {
  const { bucket, baseMint, quoteMint } = claim
  const poolState = poolStateAddress(bucket.address)
  const bucketSigner = bucketSignerAddress(bucket.address)
  const raydiumSigner = raydiumSignerAddress()
  return {
    program: GENESIS_PROGRAM,
    data: COLLECT_FROM_POOL,
    accounts: [
      writable(baseMint),
      readonly(quoteMint),
      writable(raydiumSigner),
      writableSigner(claim.payer),
      writable(poolState),
      readonly(ammConfig ?? RAYDIUM_CREATOR_FEE_CONFIGS[environment]),
      readonly(poolAuthorityAddress(environment)),
      writable(poolVaultAddress(environment, poolState, baseMint)),
      writable(poolVaultAddress(environment, poolState, quoteMint)),
      writable(associatedTokenAddress(baseMint, raydiumSigner, baseTokenProgram)),
      writable(quoteTokens(claim, raydiumSigner)),
      readonly(RAYDIUM_FEE_WALLET),
      writable(quoteTokens(claim, RAYDIUM_FEE_WALLET)),
      readonly(bucket.genesis),
      writable(bucket.address),
      readonly(bucketSigner),
      writable(quoteTokens(claim, bucketSigner)),
      readonly(RAYDIUM_PROGRAMS[environment]),
      readonly(baseTokenProgram),
      readonly(claim.quoteTokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      readonly(SYSTEM_PROGRAM),
    ],
  }
}
