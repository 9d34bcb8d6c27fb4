import {
  addRaydiumCpmmBucketV2Base,
  addRaydiumCpmmBucketV2Extensions,
  addUnlockedBucketV2,
  finalizeV2,
  findBondingCurveBucketV2Pda,
  findGenesisAccountV2Pda,
  findLaunchPoolBucketV2Pda,
  findRaydiumBucketSignerPda,
  findRaydiumCpmmBucketV2Pda,
  findUnlockedBucketV2Pda,
  initializeV2,
} from '@metaplex-foundation/genesis'
import { setAgentTokenV1 } from '@metaplex-foundation/mpl-agent-registry'
import { execute, findAssetSignerPda } from '@metaplex-foundation/mpl-core'
import { findAssociatedTokenPda } from '@metaplex-foundation/mpl-toolbox'
import {
  createNoopSigner,
  type PublicKey,
  type TransactionBuilder,
  transactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi'
import type { BondingCurvePlan, LaunchPlan } from '@slipway/launch-model/plan/launch-plan'
import { buyFirst, prepareFirstBuy } from './first-buy-with-umi.ts'
import {
  curveSteps,
  launchPoolSteps,
  raydiumExtensions,
  toBehavior,
  toCondition,
} from './launch-buckets-with-umi.ts'
import { serializeUnsigned } from './stock-umi.ts'

const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as PublicKey
const FEE_WALLET = '9kFjQsxtpBsaw8s7aUyiY3wazYDNgFP4Lj5rsBVVF8tb' as PublicKey
const key = (address: string) => address as PublicKey
const first = <T>(pda: readonly [T, ...unknown[]]): T => pda[0]

/** The steps that create a launch, each built with the official builders. The payer of `umi` is the wallet. */
export function launchStepsWithUmi(umi: Umi, plan: LaunchPlan): TransactionBuilder[] {
  const { agent, primary } = plan
  const baseMint = key(plan.mint)
  const quoteMint = key(plan.quoteMint)
  const genesisAccount = first(findGenesisAccountV2Pda(umi, { baseMint, genesisIndex: 0 }))
  const authority = agent && first(findAssetSignerPda(umi, { asset: key(agent.asset) }))
  const by = authority && { authority: createNoopSigner(authority) }
  const asAgent = (builder: TransactionBuilder) =>
    agent
      ? execute(umi, {
          asset: { publicKey: key(agent.asset) },
          ...(agent.collection && { collection: { publicKey: key(agent.collection) } }),
          instructions: builder,
        })
      : builder
  const tokens = (owner: PublicKey, mint = quoteMint, tokenProgramId = key(plan.quoteTokenProgram)) =>
    findAssociatedTokenPda(umi, { mint, owner, tokenProgramId })
  const seeds = { genesisAccount, bucketIndex: 0 }
  const findPrimary =
    primary.kind === 'launchpoolV2' ? findLaunchPoolBucketV2Pda : findBondingCurveBucketV2Pda
  const bucket = first(findPrimary(umi, seeds))
  const programs = {
    quoteTokenProgram: key(plan.quoteTokenProgram),
    associatedTokenProgram: ASSOCIATED_TOKEN,
  }
  const common = { genesisAccount, baseMint, quoteMint, ...programs, padding: Array(6).fill(0), ...by }
  const change = { genesisAccount, padding: [0, 0, 0], ...by }

  const initialize = initializeV2(umi, {
    baseMint: createNoopSigner(baseMint),
    quoteMint,
    genesisQuoteTokenAccount: tokens(genesisAccount),
    feeQuoteTokenAccount: tokens(FEE_WALLET),
    quoteTokenProgram: programs.quoteTokenProgram,
    fundingMode: 0,
    totalSupplyBaseToken: plan.token.supply,
    decimals: plan.token.decimals,
    name: plan.token.name,
    symbol: plan.token.symbol,
    uri: plan.token.uri,
    ...by,
  })
  const base = {
    ...common,
    bucket,
    bucketIndex: 0,
    bucketQuoteTokenAccount: tokens(bucket),
    baseTokenAllocation: primary.added.baseTokenAllocation,
  }
  const endBehaviors = plan.behaviors.map(toBehavior)
  const unlocked = plan.unlocked.map((one, bucketIndex) => {
    const address = first(findUnlockedBucketV2Pda(umi, { genesisAccount, bucketIndex }))
    const builder = addUnlockedBucketV2(umi, {
      ...common,
      bucket: address,
      bucketIndex,
      bucketQuoteTokenAccount: tokens(address),
      recipient: key(one.recipient),
      baseTokenAllocation: one.added.baseTokenAllocation,
      claimStartCondition: toCondition(one.added.conditions.ClaimStart),
      claimEndCondition: toCondition(one.added.conditions.ClaimEnd),
    })
    return { address, builders: [builder] }
  })
  const pools = plan.pools.map((pool, bucketIndex) => {
    const address = first(findRaydiumCpmmBucketV2Pda(umi, { genesisAccount, bucketIndex }))
    const builder = addRaydiumCpmmBucketV2Base(umi, {
      ...common,
      bucket: address,
      bucketIndex,
      bucketSignerQuoteTokenAccount: tokens(first(findRaydiumBucketSignerPda(umi, { bucket: address }))),
      baseTokenAllocation: pool.added.baseTokenAllocation,
      startCondition: toCondition(pool.added.conditions.GraduateStart),
    })
    const extensions = raydiumExtensions(pool)
    const extend = addRaydiumCpmmBucketV2Extensions(umi, { ...change, bucket: address, extensions })
    return { address, builders: [builder, ...(extensions.length > 0 ? [extend] : [])] }
  })
  const others = [...unlocked, ...pools]
  const steps = [
    initialize,
    ...(primary.kind === 'launchpoolV2'
      ? launchPoolSteps(umi, primary, base, { ...change, bucket }, endBehaviors)
      : curveSteps(umi, primary as BondingCurvePlan, base, { ...change, bucket }, endBehaviors)),
    ...others.flatMap(({ builders }) => builders),
  ].map(asAgent)
  if (!plan.isFinalized) return steps
  const finalize = finalizeV2(umi, { genesisAccount, baseMint, ...by }).addRemainingAccounts(
    [bucket, ...others.map(({ address }) => address)].map(pubkey => ({
      pubkey,
      isSigner: false,
      isWritable: true,
    })),
  )
  const setToken =
    agent?.setsToken && setAgentTokenV1(umi, { asset: key(agent.asset), genesisAccount, ...by })
  const firstBuy = primary.kind === 'bondingCurveV2' && primary.extended.firstBuy
  return [
    ...steps,
    asAgent(finalize),
    ...(setToken ? [asAgent(setToken)] : []),
    ...(firstBuy
      ? [
          prepareFirstBuy(umi, plan, firstBuy, authority).add(
            asAgent(buyFirst(umi, plan, primary, firstBuy, { genesisAccount, bucket })),
          ),
        ]
      : []),
  ]
}

/** A launch in transactions of so many steps each. */
export function launchWithUmi(
  umi: Umi,
  plan: LaunchPlan,
  blockhash: string,
  counts: readonly number[],
): string[] {
  const steps = launchStepsWithUmi(umi, plan)
  return counts.map(count => {
    const together = transactionBuilder().add(steps.splice(0, count))
    return serializeUnsigned(umi, together, blockhash)
  })
}

/** How many steps each of these transactions has, according to the official builders. */
export function countSteps(
  umi: Umi,
  plan: LaunchPlan,
  blockhash: string,
  transactions: readonly string[],
): number[] {
  const steps = launchStepsWithUmi(umi, plan)
  let at = 0
  return transactions.map(transaction => {
    for (let end = at + 1; end <= steps.length; end += 1) {
      const together = transactionBuilder().add(steps.slice(at, end))
      // Umi does not serialize what is far too large.
      if (together.getTransactionSize(umi) > SERIALIZED_MAX) break
      if (serializeUnsigned(umi, together, blockhash) !== transaction) continue
      const count = end - at
      at = end
      return count
    }
    throw new Error('the official builders do not build this transaction')
  })
}
const SERIALIZED_MAX = 1_232
