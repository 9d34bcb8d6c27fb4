import {
  claimBondingCurveCreatorFeeV2,
  claimRaydiumCreatorFeeV2,
  collectRaydiumCpmmFeesWithCreatorFeeV2,
  deriveRaydiumPDAsV2,
  findRaydiumBucketSignerPda,
  findRaydiumSignerPda,
} from '@metaplex-foundation/genesis'
import { registerIdentityV1 } from '@metaplex-foundation/mpl-agent-registry'
import { create, execute, findAssetSignerPda } from '@metaplex-foundation/mpl-core'
import {
  createIdempotentAssociatedToken,
  findAssociatedTokenPda,
  mplToolbox,
  transferSol,
} from '@metaplex-foundation/mpl-toolbox'
import {
  createNoopSigner,
  lamports,
  type PublicKey,
  signerIdentity,
  type TransactionBuilder,
  transactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import { MEMO_PROGRAM, RAYDIUM_FEE_WALLET } from '@slipway/launch-model/programs'
import type { Funding, Mint, Withdrawal } from '../chain/transactions/build-agent.ts'
import type { Claim } from '../chain/transactions/build-claim.ts'

const shared = createUmi('http://127.0.0.1:1').use(mplToolbox())

/** Umi with its default bundle. The payer stays set until the next call: there is one shared instance. */
export const stockUmi = (payer: string): Umi =>
  shared.use(signerIdentity(createNoopSigner(payer as PublicKey)))

/** A builder's transaction as Umi serializes it, without signatures. */
export function serializeUnsigned(umi: Umi, builder: TransactionBuilder, blockhash: string): string {
  const transaction = builder.setBlockhash(blockhash).build(umi)
  return Buffer.from(umi.transactions.serialize(transaction)).toString('base64')
}

/** A withdrawal as the documentation of the official client builds it. */
export function withdrawWithUmi(
  umi: Umi,
  { asset, collection, owner, lamports: amount, blockhash }: Withdrawal,
): string {
  const [signer] = findAssetSignerPda(umi, { asset: asset as string as PublicKey })
  const builder = execute(umi, {
    asset: { publicKey: asset as string as PublicKey },
    ...(collection && { collection: { publicKey: collection as string as PublicKey } }),
    instructions: transferSol(umi, {
      source: createNoopSigner(signer),
      destination: owner as string as PublicKey,
      amount: lamports(amount),
    }),
  })
  return serializeUnsigned(umi, builder, blockhash)
}

const key = (address: string) => address as PublicKey
const SPL_TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/** The instructions of a claim as the documentation of the official client builds them. */
function claimInstructionsWithUmi(umi: Umi, claim: Claim): TransactionBuilder {
  const { bucket, wallet, baseMint, quoteMint, quoteTokenProgram, collect } = claim
  const tokens = (mint: string, owner: string, tokenProgramId: string) =>
    findAssociatedTokenPda(umi, { mint: key(mint), owner: key(owner), tokenProgramId: key(tokenProgramId) })
  /** By default the builders derive token accounts of the older token program only. */
  const unlessUsual = <T extends object>(accounts: () => T) =>
    quoteTokenProgram === SPL_TOKEN ? {} : { quoteTokenProgram: key(quoteTokenProgram), ...accounts() }
  const walletTokens = () => ({
    creatorFeeWalletQuoteTokenAccount: tokens(quoteMint, wallet, quoteTokenProgram),
  })
  const common = {
    genesisAccount: key(bucket.genesis),
    bucket: key(bucket.address),
    baseMint: key(baseMint),
    quoteMint: key(quoteMint),
    creatorFeeWallet: key(wallet),
  }
  let builder = transactionBuilder()
  if (claim.createsTokenAccount) {
    const create = createIdempotentAssociatedToken(umi, {
      ata: tokens(quoteMint, wallet, quoteTokenProgram),
      owner: key(wallet),
      mint: key(quoteMint),
      tokenProgram: key(quoteTokenProgram),
    })
    // The builder writes no data, which the program takes for `Create`; that fails if the account exists.
    builder = builder.add(
      create.items.map(item => ({ ...item, instruction: { ...item.instruction, data: Uint8Array.of(1) } })),
    )
  }
  if (bucket.kind === 'bondingCurveV2') {
    const more = unlessUsual(() => ({
      ...walletTokens(),
      bucketQuoteTokenAccount: tokens(quoteMint, bucket.address, quoteTokenProgram),
    }))
    return builder.add(claimBondingCurveCreatorFeeV2(umi, { ...common, ...more }))
  }
  const signerTokens = () => ({
    bucketSignerQuoteTokenAccount: tokens(
      quoteMint,
      findRaydiumBucketSignerPda(umi, { bucket: key(bucket.address) })[0],
      quoteTokenProgram,
    ),
  })
  if (collect) {
    const pool = deriveRaydiumPDAsV2(umi, key(baseMint), key(bucket.address), {
      creatorFee: true,
      // The official client knows only these two.
      env: collect.environment as 'mainnet' | 'devnet',
      quoteMint: key(quoteMint),
      ...(collect.ammConfig && { ammConfig: key(collect.ammConfig) }),
    })
    const [raydiumSigner] = findRaydiumSignerPda(umi)
    builder = builder.add(
      collectRaydiumCpmmFeesWithCreatorFeeV2(umi, {
        baseMint: key(baseMint),
        quoteMint: key(quoteMint),
        genesisAccount: key(bucket.genesis),
        raydiumCpmmBucket: key(bucket.address),
        poolState: pool.poolState,
        ammConfig: pool.ammConfig,
        poolAuthority: pool.poolAuthority,
        baseVault: pool.baseVault,
        quoteVault: pool.quoteVault,
        raydiumProgram: pool.raydiumProgram,
        ...(collect.baseTokenProgram !== SPL_TOKEN && {
          baseTokenProgram: key(collect.baseTokenProgram),
          raydiumSignerBaseTokenAccount: tokens(baseMint, raydiumSigner, collect.baseTokenProgram),
        }),
        ...unlessUsual(() => ({
          ...signerTokens(),
          raydiumSignerQuoteTokenAccount: tokens(quoteMint, raydiumSigner, quoteTokenProgram),
          feeWalletQuoteTokenAccount: tokens(quoteMint, RAYDIUM_FEE_WALLET, quoteTokenProgram),
        })),
      }),
    )
  }
  const more = unlessUsual(() => ({ ...walletTokens(), ...signerTokens() }))
  return builder.add(claimRaydiumCreatorFeeV2(umi, { ...common, ...more }))
}

export const claimWithUmi = (umi: Umi, claim: Claim): string =>
  serializeUnsigned(umi, claimInstructionsWithUmi(umi, claim), claim.blockhash)

/** A transfer and a memo. Umi has no builder for memos that are signed. */
export function fundWithUmi(umi: Umi, { asset, sender, lamports: amount, memo, blockhash }: Funding): string {
  const [wallet] = findAssetSignerPda(umi, { asset: key(asset) })
  const signed = {
    programId: key(MEMO_PROGRAM),
    keys: [{ pubkey: key(sender), isSigner: true, isWritable: false }],
    data: new TextEncoder().encode(memo),
  }
  const builder = transferSol(umi, { destination: wallet, amount: lamports(amount) }).add({
    instruction: signed,
    signers: [umi.identity],
    bytesCreatedOnChain: 0,
  })
  return serializeUnsigned(umi, builder, blockhash)
}

/** A mint as the documentation of the official clients builds it. */
export function mintWithUmi(umi: Umi, mint: Mint): string {
  const collection = mint.collection && key(mint.collection)
  const builder = create(umi, {
    asset: createNoopSigner(key(mint.asset)),
    ...(collection && { collection: { publicKey: collection } }),
    name: mint.name,
    uri: mint.uri,
  }).add(
    registerIdentityV1(umi, {
      asset: key(mint.asset),
      ...(collection && { collection }),
      agentRegistrationUri: mint.agentUri,
    }),
  )
  return serializeUnsigned(umi, builder, mint.blockhash)
}
