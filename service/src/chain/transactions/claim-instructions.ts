import type { Address } from '@slipway/schema/address'
import { officialClients } from '../official-clients.ts'
import { type Instruction, learnInstruction } from './learn-instruction.ts'

/** Where the official builder sends the protocol's share; a test compares it with what it builds. */
export const RAYDIUM_FEE_WALLET = 'A1xCjrfiQdRZHbCnovSqLeRkFTcgWJKWCYv9E8WxcfoR' as Address

const COMMON = [
  'genesis',
  'bucket',
  'baseMint',
  'quoteMint',
  'wallet',
  'walletTokens',
  'payer',
  'quoteTokenProgram',
] as const

export const claimCurve = learnInstruction([...COMMON, 'bucketTokens'], ({ keys, umi }) =>
  officialClients.genesis().claimBondingCurveCreatorFeeV2(umi('payer'), {
    genesisAccount: keys.genesis,
    bucket: keys.bucket,
    baseMint: keys.baseMint,
    quoteMint: keys.quoteMint,
    bucketQuoteTokenAccount: keys.bucketTokens,
    creatorFeeWallet: keys.wallet,
    creatorFeeWalletQuoteTokenAccount: keys.walletTokens,
    quoteTokenProgram: keys.quoteTokenProgram,
  }),
)

export const claimPool = learnInstruction(
  [...COMMON, 'bucketSigner', 'bucketSignerTokens'],
  ({ keys, umi }) =>
    officialClients.genesis().claimRaydiumCreatorFeeV2(umi('payer'), {
      genesisAccount: keys.genesis,
      bucket: keys.bucket,
      baseMint: keys.baseMint,
      quoteMint: keys.quoteMint,
      bucketSigner: keys.bucketSigner,
      bucketSignerQuoteTokenAccount: keys.bucketSignerTokens,
      creatorFeeWallet: keys.wallet,
      creatorFeeWalletQuoteTokenAccount: keys.walletTokens,
      quoteTokenProgram: keys.quoteTokenProgram,
    }),
)

export const collectPool = learnInstruction(
  [
    'payer',
    'genesis',
    'bucket',
    'bucketSigner',
    'bucketSignerTokens',
    'baseMint',
    'quoteMint',
    'baseTokenProgram',
    'quoteTokenProgram',
    'poolState',
    'ammConfig',
    'poolAuthority',
    'baseVault',
    'quoteVault',
    'raydiumProgram',
    'raydiumSigner',
    'raydiumSignerBaseTokens',
    'raydiumSignerQuoteTokens',
    'feeWallet',
    'feeWalletTokens',
  ],
  ({ keys, umi }) =>
    officialClients.genesis().collectRaydiumCpmmFeesWithCreatorFeeV2(umi('payer'), {
      baseMint: keys.baseMint,
      quoteMint: keys.quoteMint,
      raydiumSigner: keys.raydiumSigner,
      poolState: keys.poolState,
      ammConfig: keys.ammConfig,
      poolAuthority: keys.poolAuthority,
      baseVault: keys.baseVault,
      quoteVault: keys.quoteVault,
      raydiumSignerBaseTokenAccount: keys.raydiumSignerBaseTokens,
      raydiumSignerQuoteTokenAccount: keys.raydiumSignerQuoteTokens,
      feeWallet: keys.feeWallet,
      feeWalletQuoteTokenAccount: keys.feeWalletTokens,
      genesisAccount: keys.genesis,
      raydiumCpmmBucket: keys.bucket,
      bucketSigner: keys.bucketSigner,
      bucketSignerQuoteTokenAccount: keys.bucketSignerTokens,
      raydiumProgram: keys.raydiumProgram,
      baseTokenProgram: keys.baseTokenProgram,
      quoteTokenProgram: keys.quoteTokenProgram,
    }),
)

const learntCreate = learnInstruction(
  ['payer', 'account', 'owner', 'mint', 'tokenProgram'],
  ({ keys, signers, umi }) =>
    officialClients.toolbox().createIdempotentAssociatedToken(umi('payer'), {
      payer: signers.payer,
      ata: keys.account,
      owner: keys.owner,
      mint: keys.mint,
      tokenProgram: keys.tokenProgram,
    }),
)

/** The program's `CreateIdempotent`. The official builder of that name leaves the byte out, which is plain `Create`. */
const CREATE_IDEMPOTENT = Uint8Array.of(1)

/** Makes a token account if there is none. */
export const createTokenAccount = (accounts: Parameters<typeof learntCreate>[0]): Instruction =>
  learntCreate(accounts, CREATE_IDEMPOTENT)
