import {
  type BondingCurveBucketV2,
  BondingCurveType,
  getSwapResult,
  SwapDirection,
  swapBondingCurveV2,
} from '@metaplex-foundation/genesis'
import {
  createIdempotentAssociatedToken,
  findAssociatedTokenPda,
  syncNative,
  transferSol,
} from '@metaplex-foundation/mpl-toolbox'
import {
  createNoopSigner,
  lamports,
  none,
  type PublicKey,
  type TransactionBuilder,
  transactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi'
import type { FirstBuy } from '@slipway/launch-model/kinds/bucket-parts'
import type { BondingCurvePlan, LaunchPlan } from '@slipway/launch-model/plan/launch-plan'

const SPL_TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as PublicKey
const FEE_WALLET = '9kFjQsxtpBsaw8s7aUyiY3wazYDNgFP4Lj5rsBVVF8tb' as PublicKey
const NATIVE = 'So11111111111111111111111111111111111111112'
const key = (address: string) => address as PublicKey
const first = <T>(pda: readonly [T, ...unknown[]]): T => pda[0]

export function prepareFirstBuy(
  umi: Umi,
  plan: LaunchPlan,
  { buyer, amount }: FirstBuy,
  authority: PublicKey | undefined,
): TransactionBuilder {
  const owner = key(buyer)
  const open = (mint: PublicKey, tokenProgram: PublicKey) => {
    const ata = findAssociatedTokenPda(umi, { mint, owner, tokenProgramId: tokenProgram })
    // The builder writes no data, which the program takes for `Create`; that fails if the account exists.
    return createIdempotentAssociatedToken(umi, { ata, owner, mint, tokenProgram }).items.map(item => ({
      ...item,
      instruction: { ...item.instruction, data: Uint8Array.of(1) },
    }))
  }
  const quoteMint = key(plan.quoteMint)
  const builder = transactionBuilder([
    ...open(quoteMint, key(plan.quoteTokenProgram)),
    ...open(key(plan.mint), SPL_TOKEN),
  ])
  if (quoteMint !== NATIVE) return builder
  const wrapped = findAssociatedTokenPda(umi, { mint: quoteMint, owner })
  const source = owner === authority ? umi.payer : createNoopSigner(owner)
  return builder
    .add(transferSol(umi, { source, destination: first(wrapped), amount: lamports(amount) }))
    .add(syncNative(umi, { account: first(wrapped) }))
}

export function buyFirst(
  umi: Umi,
  plan: LaunchPlan,
  curve: BondingCurvePlan,
  { buyer, amount }: FirstBuy,
  { genesisAccount, bucket }: { genesisAccount: PublicKey; bucket: PublicKey },
): TransactionBuilder {
  const quote = { mint: key(plan.quoteMint), tokenProgramId: key(plan.quoteTokenProgram) }
  const owner = key(buyer)
  return swapBondingCurveV2(umi, {
    genesisAccount,
    bucket,
    baseMint: key(plan.mint),
    quoteMint: quote.mint,
    quoteTokenProgram: quote.tokenProgramId,
    quoteTokenAccount: findAssociatedTokenPda(umi, { ...quote, owner }),
    bucketQuoteTokenAccount: findAssociatedTokenPda(umi, { ...quote, owner: bucket }),
    feeQuoteTokenAccount: findAssociatedTokenPda(umi, { ...quote, owner: FEE_WALLET }),
    ...(owner !== umi.payer.publicKey && { quoteTokenOwner: createNoopSigner(owner), baseTokenOwner: owner }),
    swapDirection: SwapDirection.Buy,
    amount,
    minAmountOutScaled: quoteFirstBuy(curve, amount),
  })
}

/** How many tokens the official client expects from a first buy. */
export function quoteFirstBuy(
  { added: { baseTokenAllocation, virtualReserves } }: BondingCurvePlan,
  amount: bigint,
): bigint {
  const bucket = {
    bondingCurveType: BondingCurveType.ConstantProduct,
    constantProductParams: { virtualSol: virtualReserves.quote, virtualTokens: virtualReserves.base },
    quoteTokenDepositTotal: 0n,
    bucket: { baseTokenBalance: baseTokenAllocation },
    extensions: { creatorFee: none() },
  } as unknown as BondingCurveBucketV2
  return getSwapResult(bucket, amount, SwapDirection.Buy, true).amountOut
}
