import {
  addBondingCurveBucketV2Extensions,
  addConstantProductBondingCurveBucketV2Base,
  addLaunchPoolBucketV2Base,
  addLaunchPoolBucketV2Extensions,
  addRaydiumCpmmBucketV2Base,
  addRaydiumCpmmBucketV2Extensions,
  addUnlockedBucketV2,
  type BehaviorArgs,
  BucketTimes,
  type ConditionArgs,
  createNeverCondition,
  createTimeAbsoluteCondition,
  createTimeRelativeCondition,
  createTriggeredCondition,
  finalizeV2,
  findBondingCurveBucketV2Pda,
  findGenesisAccountV2Pda,
  findLaunchPoolBucketV2Pda,
  findRaydiumBucketSignerPda,
  findRaydiumCpmmBucketV2Pda,
  findUnlockedBucketV2Pda,
  initializeV2,
  SwapDirection,
  setBondingCurveBucketV2Behaviors,
  setLaunchPoolBucketV2Behaviors,
  swapBondingCurveV2,
} from '@metaplex-foundation/genesis'
import { setAgentTokenV1 } from '@metaplex-foundation/mpl-agent-registry'
import { execute, findAssetSignerPda } from '@metaplex-foundation/mpl-core'
import {
  createIdempotentAssociatedToken,
  findAssociatedTokenPda,
  syncNative,
  transferSol,
} from '@metaplex-foundation/mpl-toolbox'
import {
  createNoopSigner,
  lamports,
  type PublicKey,
  type TransactionBuilder,
  transactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi'
import type { Condition } from '../chain/accounts/condition.ts'
import type {
  Behaviour,
  BondingCurvePlan,
  FirstBuy,
  LaunchPlan,
  LaunchPoolPlan,
  RaydiumPlan,
  Schedule,
} from '../chain/transactions/launch/launch-plan.ts'
import { serializeUnsigned } from './stock-umi.ts'

const SPL_TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as PublicKey
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as PublicKey
const FEE_WALLET = '9kFjQsxtpBsaw8s7aUyiY3wazYDNgFP4Lj5rsBVVF8tb' as PublicKey
const NATIVE = 'So11111111111111111111111111111111111111112'
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
    baseTokenAllocation: primary.allocation,
  }
  const endBehaviors = plan.behaviours.map(toBehavior)
  const unlocked = plan.unlocked.map((one, bucketIndex) => {
    const address = first(findUnlockedBucketV2Pda(umi, { genesisAccount, bucketIndex }))
    const builder = addUnlockedBucketV2(umi, {
      ...common,
      bucket: address,
      bucketIndex,
      bucketQuoteTokenAccount: tokens(address),
      recipient: key(one.recipient),
      baseTokenAllocation: one.allocation,
      claimStartCondition: toCondition(one.claimStart),
      claimEndCondition: toCondition(one.claimEnd),
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
      baseTokenAllocation: pool.allocation,
      startCondition: toCondition(pool.start),
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
      : curveSteps(umi, primary, base, { ...change, bucket }, endBehaviors)),
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
  const firstBuy = primary.kind === 'bondingCurveV2' && primary.firstBuy
  return [
    ...steps,
    asAgent(finalize),
    ...(setToken ? [asAgent(setToken)] : []),
    ...(firstBuy
      ? [
          prepareFirstBuy(umi, plan, firstBuy, authority).add(
            asAgent(buyFirst(umi, plan, firstBuy, { genesisAccount, bucket })),
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

function launchPoolSteps(
  umi: Umi,
  pool: LaunchPoolPlan,
  base: Omit<Parameters<typeof addLaunchPoolBucketV2Base>[1], `${string}Condition`>,
  change: Omit<Parameters<typeof addLaunchPoolBucketV2Extensions>[1], 'extensions'>,
  endBehaviors: BehaviorArgs[],
): TransactionBuilder[] {
  const { bonus, withdrawPenalty, quoteThreshold: amount } = pool
  const extensions = [
    ...(bonus ? [{ __kind: 'BonusSchedule', bonusSchedule: toSchedule(bonus) } as const] : []),
    ...(withdrawPenalty
      ? [{ __kind: 'WithdrawPenalty', withdrawPenalty: toSchedule(withdrawPenalty) } as const]
      : []),
    ...(amount === undefined
      ? []
      : [{ __kind: 'MinimumQuoteTokenThreshold', minimumQuoteTokenThreshold: { amount } } as const]),
  ]
  return [
    addLaunchPoolBucketV2Base(umi, {
      ...base,
      depositStartCondition: toCondition(pool.depositStart),
      depositEndCondition: toCondition(pool.depositEnd),
      claimStartCondition: toCondition(pool.claimStart),
      claimEndCondition: toCondition(pool.claimEnd),
    }),
    ...(extensions.length > 0 ? [addLaunchPoolBucketV2Extensions(umi, { ...change, extensions })] : []),
    setLaunchPoolBucketV2Behaviors(umi, { ...change, endBehaviors }),
  ]
}

function curveSteps(
  umi: Umi,
  curve: BondingCurvePlan,
  base: Omit<
    Parameters<typeof addConstantProductBondingCurveBucketV2Base>[1],
    `${string}Condition` | `virtual${string}`
  >,
  change: Omit<Parameters<typeof addBondingCurveBucketV2Extensions>[1], 'extensions'>,
  endBehaviors: BehaviorArgs[],
): TransactionBuilder[] {
  const { firstBuy, creatorFeeWallet } = curve
  const extensions = [
    ...(firstBuy
      ? [{ __kind: 'FirstBuy', buyer: key(firstBuy.buyer), amount: firstBuy.amount } as const]
      : []),
    ...(creatorFeeWallet ? [creatorFee(creatorFeeWallet)] : []),
  ]
  return [
    addConstantProductBondingCurveBucketV2Base(umi, {
      ...base,
      swapStartCondition: toCondition(curve.swapStart),
      swapEndCondition: toCondition(curve.swapEnd),
      virtualSol: curve.virtualQuote,
      virtualTokens: curve.virtualBase,
    }),
    ...(extensions.length > 0
      ? [
          addBondingCurveBucketV2Extensions(umi, {
            ...change,
            extensions,
            ...(firstBuy && { firstBuyer: createNoopSigner(key(firstBuy.buyer)) }),
          }),
        ]
      : []),
    setBondingCurveBucketV2Behaviors(umi, { ...change, endBehaviors }),
  ]
}

const creatorFee = (wallet: string) =>
  ({ __kind: 'CreatorFee', creatorFee: { wallet: key(wallet) } }) as const

const raydiumExtensions = ({ lock, creatorFeeWallet }: RaydiumPlan) => [
  ...(lock
    ? [
        {
          __kind: 'LpLockSchedule',
          lpLockSchedule: {
            startCondition: toCondition(lock.start),
            duration: lock.duration,
            period: lock.period,
            cliffCondition: toCondition(lock.cliff),
            cliffAmountBps: lock.cliffAmountBps,
            reserved: Array(126).fill(0),
          },
        } as const,
      ]
    : []),
  ...(creatorFeeWallet ? [creatorFee(creatorFeeWallet)] : []),
]

function prepareFirstBuy(
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

function buyFirst(
  umi: Umi,
  plan: LaunchPlan,
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
    minAmountOutScaled: 0,
  })
}

const toSchedule = ({ start, ...schedule }: Schedule) => ({
  ...schedule,
  startCondition: toCondition(start),
  reserved: new Uint8Array(64),
})

const toBehavior = (behaviour: Behaviour): BehaviorArgs =>
  behaviour.kind === 'SendStartPrice'
    ? {
        __kind: 'SendStartPrice',
        processed: false,
        padding: Array(6).fill(0),
        destinationBucket: key(behaviour.bucket),
      }
    : {
        __kind: 'SendQuoteTokenPercentage',
        processed: false,
        percentageBps: behaviour.percentageBps,
        padding: Array(4).fill(0),
        destinationBucket: key(behaviour.bucket),
      }

function toCondition(condition: Condition): ConditionArgs {
  switch (condition.kind) {
    case 'TimeAbsolute':
      return createTimeAbsoluteCondition(BigInt(condition.time))
    case 'TimeRelative':
      return createTimeRelativeCondition(
        key(condition.bucket),
        BucketTimes[condition.bucketTime],
        BigInt(condition.timeOffset),
      )
    case 'Never':
      return createNeverCondition()
    case 'Triggered':
      return createTriggeredCondition()
    case 'Always':
      return { __kind: 'Always', padding: Array(55).fill(0), triggeredTimestamp: null }
    default:
      throw new RangeError(`no launch is created with the condition ${condition.kind}`)
  }
}
