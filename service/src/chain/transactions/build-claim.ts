import type { Address } from '@slipway/schema/address'
import type { Bucket } from '../accounts/bucket.ts'
import {
  associatedTokenAddress,
  bucketSignerAddress,
  poolAuthorityAddress,
  poolStateAddress,
  poolVaultAddress,
  raydiumSignerAddress,
} from '../addresses/addresses.ts'
import { RAYDIUM_PROGRAMS, type RaydiumEnvironment } from '../addresses/programs.ts'
import { officialClients } from '../official-clients.ts'
import {
  claimCurve,
  claimPool,
  collectPool,
  createTokenAccount,
  RAYDIUM_FEE_WALLET,
} from './claim-instructions.ts'
import { compileTransaction } from './compile-transaction.ts'
import type { Instruction } from './learn-instruction.ts'

export interface Claim {
  /** Pays the fee and any rent, and is the only one who signs. May be the wallet itself. */
  payer: Address
  /** A curve or an AMM bucket. */
  bucket: Pick<Bucket, 'kind' | 'genesis'> & { address: Address }
  /** The creator-fee wallet of the bucket; the money can only go to its token account. May be a derived address. */
  wallet: Address
  baseMint: Address
  quoteMint: Address
  /** The program that owns the quote mint. */
  quoteTokenProgram: Address
  /** Whether the wallet has no token account for the quote mint yet; someone may be quicker to make it. */
  createsTokenAccount: boolean
  /** For an AMM bucket whose pool holds fees that were not collected yet. */
  collect?: Collect | undefined
  blockhash: string
}

export interface Collect {
  environment: RaydiumEnvironment
  /** The program that owns the base mint. */
  baseTokenProgram: Address
  /** The configuration that the pool was made with, where the pool says so. */
  ammConfig?: Address | undefined
}

/**
 * What the payer signs to have a bucket's fees paid to its creator: fees of the pool are collected first, then all is
 * claimed. Wrapped native currency stays wrapped, as with the official instructions. Base64, unsigned.
 */
export function buildClaimTransaction(claim: Claim): string {
  const { payer, wallet, quoteMint, quoteTokenProgram, blockhash } = claim
  const walletTokens = associatedTokenAddress(quoteMint, wallet, quoteTokenProgram)
  const instructions: Instruction[] = []
  if (claim.createsTokenAccount) {
    instructions.push(
      createTokenAccount({
        payer,
        account: walletTokens,
        owner: wallet,
        mint: quoteMint,
        tokenProgram: quoteTokenProgram,
      }),
    )
  }
  if (claim.bucket.kind === 'bondingCurveV2') instructions.push(claimOfCurve(claim, walletTokens))
  else if (claim.bucket.kind === 'raydiumCpmmV2') instructions.push(...claimOfPool(claim, walletTokens))
  else throw new RangeError(`a bucket of the kind ${claim.bucket.kind} pays no creator`)
  return compileTransaction(payer, instructions, blockhash)
}

function claimOfCurve(claim: Claim, walletTokens: Address): Instruction {
  const { bucket, quoteMint, quoteTokenProgram } = claim
  return claimCurve({
    ...common(claim, walletTokens),
    bucketTokens: associatedTokenAddress(quoteMint, bucket.address, quoteTokenProgram),
  })
}

function claimOfPool(claim: Claim, walletTokens: Address): Instruction[] {
  const { bucket, quoteMint, quoteTokenProgram, collect } = claim
  const bucketSigner = bucketSignerAddress(bucket.address)
  const signer = {
    bucketSigner,
    bucketSignerTokens: associatedTokenAddress(quoteMint, bucketSigner, quoteTokenProgram),
  }
  const claimed = claimPool({ ...common(claim, walletTokens), ...signer })
  return collect ? [collectOfPool(claim, collect, signer), claimed] : [claimed]
}

function collectOfPool(
  { bucket, payer, baseMint, quoteMint, quoteTokenProgram }: Claim,
  { environment, baseTokenProgram, ammConfig = defaultConfig(environment) }: Collect,
  signer: { bucketSigner: Address; bucketSignerTokens: Address },
): Instruction {
  const poolState = poolStateAddress(bucket.address)
  const raydiumSigner = raydiumSignerAddress()
  return collectPool({
    ...signer,
    payer,
    genesis: bucket.genesis,
    bucket: bucket.address,
    baseMint,
    quoteMint,
    baseTokenProgram,
    quoteTokenProgram,
    poolState,
    ammConfig,
    poolAuthority: poolAuthorityAddress(environment),
    baseVault: poolVaultAddress(environment, poolState, baseMint),
    quoteVault: poolVaultAddress(environment, poolState, quoteMint),
    raydiumProgram: RAYDIUM_PROGRAMS[environment],
    raydiumSigner,
    raydiumSignerBaseTokens: associatedTokenAddress(baseMint, raydiumSigner, baseTokenProgram),
    raydiumSignerQuoteTokens: associatedTokenAddress(quoteMint, raydiumSigner, quoteTokenProgram),
    feeWallet: RAYDIUM_FEE_WALLET,
    feeWalletTokens: associatedTokenAddress(quoteMint, RAYDIUM_FEE_WALLET, quoteTokenProgram),
  })
}

const common = (
  { bucket, payer, wallet, baseMint, quoteMint, quoteTokenProgram }: Claim,
  walletTokens: Address,
) => ({
  genesis: bucket.genesis,
  bucket: bucket.address,
  baseMint,
  quoteMint,
  wallet,
  walletTokens,
  payer,
  quoteTokenProgram,
})

function defaultConfig(environment: RaydiumEnvironment): Address {
  const { RAYDIUM_AMM_CONFIG_CREATOR_FEE_MAINNET, RAYDIUM_AMM_CONFIG_CREATOR_FEE_DEVNET } =
    officialClients.genesis()
  const config = {
    mainnet: RAYDIUM_AMM_CONFIG_CREATOR_FEE_MAINNET,
    devnet: RAYDIUM_AMM_CONFIG_CREATOR_FEE_DEVNET,
  }
  return config[environment] as string as Address
}
