import type { Address } from '@slipway/schema/address'
import {
  bucketSignerAddress,
  observationAddress,
  poolAuthorityAddress,
  poolMintAddress,
  poolPermissionAddress,
  poolStateAddress,
  poolVaultAddress,
  raydiumSignerAddress,
} from '../addresses.ts'
import { type Call, call, defineCall, opened, readonly, writable, writableSigner } from '../call.ts'
import { plainData } from '../kinds/bucket-kind.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  GENESIS_PROGRAM,
  POOL_FEE_RECEIVERS,
  RAYDIUM_CONFIGS,
  RAYDIUM_CREATOR_FEE_CONFIGS,
  RAYDIUM_PROGRAMS,
  type RaydiumEnvironment,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
} from '../programs.ts'
import { TOKEN_ACCOUNT_BYTES } from '../rent.ts'
import { openedTokens } from './tokens.ts'
import { type TradedTokens, tokensOf } from './trades.ts'

export const graduateToPool = defineCall('graduateToPool', GENESIS_PROGRAM, 56, plainData)

export interface Graduation {
  genesis: Address
  /** The bucket that becomes the pool. */
  bucket: Address
  tokens: TradedTokens
  environment: RaydiumEnvironment
  paysCreator: boolean
  /** Pays Raydium's fee and the rent of the pool's accounts. */
  payer: Address
}

/** `graduateToRaydiumCpmmV2`: creates the pool of a launch. Anyone may pay. */
export function graduateCall({ genesis, bucket, tokens, environment, paysCreator, payer }: Graduation): Call {
  const { base, quote } = tokens
  const [bucketSigner, raydiumSigner] = [bucketSignerAddress(bucket), raydiumSignerAddress()]
  const pool = poolStateAddress(bucket)
  const poolToken = { mint: poolMintAddress(environment, pool), program: base.program }
  const configs = paysCreator ? RAYDIUM_CREATOR_FEE_CONFIGS : RAYDIUM_CONFIGS
  const accounts = [
    writable(genesis, 'the launch'),
    writable(bucket, 'the bucket'),
    writable(base.mint, 'the launch’s token'),
    readonly(quote.mint, 'the payment token'),
    writable(bucketSigner, 'the bucket’s signer'),
    writable(raydiumSigner, 'the pool’s creator'),
    writable(tokensOf(base, genesis), 'the launch’s token account'),
    writable(tokensOf(quote, bucketSigner), 'the proceeds'),
    openedTokens(poolToken, bucketSigner, 'the bucket’s account for pool tokens', { isForGood: true }),
    writable(tokensOf(base, raydiumSigner), 'the creator’s token account'),
    writable(tokensOf(quote, raydiumSigner), 'the creator’s account for payments'),
    writable(tokensOf(poolToken, raydiumSigner), 'the creator’s account for pool tokens'),
    opened(pool, 'the pool', { bytes: 637 }),
    readonly(configs[environment], 'the pool’s configuration'),
    readonly(poolAuthorityAddress(environment), 'the pool’s authority'),
    opened(poolToken.mint, 'the pool’s token', { bytes: 82 }),
    opened(poolVaultAddress(environment, pool, base.mint), 'the pool’s vault', {
      bytes: TOKEN_ACCOUNT_BYTES,
    }),
    opened(poolVaultAddress(environment, pool, quote.mint), 'the pool’s vault', {
      bytes: TOKEN_ACCOUNT_BYTES,
    }),
    writable(POOL_FEE_RECEIVERS[environment], 'Raydium’s fee account'),
    opened(observationAddress(environment, pool), 'the pool’s price history', { bytes: 4_075 }),
    readonly(poolPermissionAddress(environment, raydiumSigner), 'the permission to create pools'),
    writableSigner(payer, 'the payer'),
    readonly(GENESIS_PROGRAM, 'the backend'),
    readonly(RAYDIUM_PROGRAMS[environment], 'Raydium'),
    readonly(base.program, 'the token program'),
    readonly(quote.program, 'the payment token’s program'),
    readonly(ASSOCIATED_TOKEN_PROGRAM, 'the associated token program'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
    readonly(RENT_SYSVAR, 'the rent'),
  ]
  return { ...call(graduateToPool, {}, accounts), charges: POOL_FEE_LAMPORTS }
}

/** Raydium's fee for a pool. */
export const POOL_FEE_LAMPORTS = 150_000_000n

/** Not measured, because no public binary of Raydium creates such pools. A transaction may use 1,400,000 at most. */
export const GRADUATE_UNITS = 1_000_000
