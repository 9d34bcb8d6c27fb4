import {
  addBondingCurveBucketV2Extensions,
  addConstantProductBondingCurveBucketV2Base,
  addLaunchPoolBucketV2Base,
  addLaunchPoolBucketV2Extensions,
  addPresaleBucketV2Base,
  addPresaleBucketV2Extensions,
  addRaydiumCpmmBucketV2Base,
  addRaydiumCpmmBucketV2Extensions,
  addUnlockedBucketV2,
  type BehaviorArgs,
  type BondingCurveV2ExtensionArgs,
  type ConditionArgs,
  createLinearBpsScheduleV2,
  createNeverCondition,
  createTimeAbsoluteCondition,
  createTriggeredCondition,
  finalizeV2,
  findBondingCurveBucketV2Pda,
  findGenesisAccountV2Pda,
  findLaunchPoolBucketV2Pda,
  findPresaleBucketV2Pda,
  findRaydiumCpmmBucketV2Pda,
  findUnlockedBucketV2Pda,
  initializeV2,
  type LaunchPoolV2ExtensionArgs,
  type PresaleV2ExtensionArgs,
  type RaydiumCpmmV2ExtensionArgs,
  setBondingCurveBucketV2Behaviors,
  setLaunchPoolBucketV2Behaviors,
  setPresaleBucketV2Behaviors,
  WRAPPED_SOL_MINT,
} from '@metaplex-foundation/genesis'
import { findAssociatedTokenPda } from '@metaplex-foundation/mpl-toolbox'
import {
  type KeypairSigner,
  type PublicKey,
  publicKey,
  type Signer,
  type TransactionBuilder,
  type Umi,
} from '@metaplex-foundation/umi'
import { TOKEN_PROGRAM } from '../ledger/account.ts'
import { ASSOCIATED_TOKEN_PROGRAM } from '../programs/genesis/checks.ts'
import { signer } from './umi-wallet.ts'

export const always = (): ConditionArgs => ({
  __kind: 'Always',
  padding: Array(55).fill(0),
  triggeredTimestamp: null,
})
export const timeAt = (unixTime: number): ConditionArgs => createTimeAbsoluteCondition(BigInt(unixTime))

/** The numbers of the official SDK's bonding curve. */
export const CURVE_NUMBERS = {
  supply: 1_000_000_000_000_000n,
  onCurve: 717_948_717_948_717n,
  inPool: 282_051_282_051_283n,
  virtualSol: 55_000_000_000n,
  virtualTokens: 464_555_052_790_349n,
}

/** The official builders for one launch with default arguments, which `more` replaces. */
export function launchBuilders(umi: Umi, mint: KeypairSigner, authority?: Signer) {
  const baseMint = mint.publicKey
  const genesisAccount = findGenesisAccountV2Pda(umi, { baseMint, genesisIndex: 0 })[0]
  const seeds = { genesisAccount, bucketIndex: 0 }
  const pool = findLaunchPoolBucketV2Pda(umi, seeds)[0]
  const presale = findPresaleBucketV2Pda(umi, seeds)[0]
  const unlocked = findUnlockedBucketV2Pda(umi, seeds)[0]
  const curve = findBondingCurveBucketV2Pda(umi, seeds)[0]
  const raydium = findRaydiumCpmmBucketV2Pda(umi, seeds)[0]
  const common = { genesisAccount, baseMint, bucketIndex: 0, padding: Array(6).fill(0), ...by(authority) }
  const extend = { genesisAccount, padding: [0, 0, 0], ...by(authority) }
  return {
    mint: baseMint,
    genesisAccount,
    pool,
    presale,
    unlocked,
    curve,
    raydium,

    initialize: (more: object = {}) =>
      initializeV2(umi, {
        baseMint: mint,
        fundingMode: 0,
        totalSupplyBaseToken: CURVE_NUMBERS.supply,
        decimals: 6,
        name: 'Tidewater',
        symbol: 'TIDE',
        uri: 'https://tidewater.example/token.json',
        ...by(authority),
        ...more,
      }),
    addPool: (times: { start: number; end: number }, more: object = {}) =>
      addLaunchPoolBucketV2Base(umi, {
        ...common,
        baseTokenAllocation: (CURVE_NUMBERS.supply * 4n) / 5n,
        depositStartCondition: timeAt(times.start),
        depositEndCondition: timeAt(times.end),
        claimStartCondition: timeAt(times.end + 1),
        claimEndCondition: createNeverCondition(),
        ...more,
      }),
    extendPool: (...extensions: LaunchPoolV2ExtensionArgs[]) =>
      addLaunchPoolBucketV2Extensions(umi, { ...extend, bucket: pool, extensions }),
    setPoolBehaviors: (...endBehaviors: BehaviorArgs[]) =>
      setLaunchPoolBucketV2Behaviors(umi, { ...extend, bucket: pool, endBehaviors }),
    addPresale: (times: { start: number; end: number }, more: object = {}) =>
      addPresaleBucketV2Base(umi, {
        ...common,
        baseTokenAllocation: (CURVE_NUMBERS.supply * 4n) / 5n,
        allocationQuoteTokenCap: 10_000_000_000n,
        depositStartCondition: timeAt(times.start),
        depositEndCondition: timeAt(times.end),
        claimStartCondition: timeAt(times.end + 1),
        claimEndCondition: createNeverCondition(),
        ...more,
      }),
    extendPresale: (...extensions: PresaleV2ExtensionArgs[]) =>
      addPresaleBucketV2Extensions(umi, { ...extend, bucket: presale, extensions }),
    setPresaleBehaviors: (...endBehaviors: BehaviorArgs[]) =>
      setPresaleBucketV2Behaviors(umi, { ...extend, bucket: presale, endBehaviors }),
    addUnlocked: (recipient: PublicKey, more: object = {}) =>
      addUnlockedBucketV2(umi, {
        ...common,
        recipient,
        baseTokenAllocation: CURVE_NUMBERS.supply / 5n,
        claimStartCondition: always(),
        claimEndCondition: createNeverCondition(),
        ...more,
      }),
    addCurve: (more: object = {}) =>
      addConstantProductBondingCurveBucketV2Base(umi, {
        ...common,
        bucket: curve,
        quoteMint: WRAPPED_SOL_MINT,
        bucketQuoteTokenAccount: findAssociatedTokenPda(umi, { mint: WRAPPED_SOL_MINT, owner: curve })[0],
        quoteTokenProgram: publicKey(TOKEN_PROGRAM),
        associatedTokenProgram: publicKey(ASSOCIATED_TOKEN_PROGRAM),
        baseTokenAllocation: CURVE_NUMBERS.onCurve,
        swapStartCondition: always(),
        swapEndCondition: createTriggeredCondition(),
        virtualSol: CURVE_NUMBERS.virtualSol,
        virtualTokens: CURVE_NUMBERS.virtualTokens,
        ...more,
      }),
    extendCurve: (extensions: BondingCurveV2ExtensionArgs[], firstBuyer?: Signer) =>
      addBondingCurveBucketV2Extensions(umi, {
        ...extend,
        bucket: curve,
        extensions,
        ...(firstBuyer && { firstBuyer }),
      }),
    setCurveBehaviors: (...endBehaviors: BehaviorArgs[]) =>
      setBondingCurveBucketV2Behaviors(umi, { ...extend, bucket: curve, endBehaviors }),
    addRaydium: (more: object = {}) =>
      addRaydiumCpmmBucketV2Base(umi, {
        ...common,
        baseTokenAllocation: CURVE_NUMBERS.inPool,
        startCondition: always(),
        ...more,
      }),
    extendRaydium: (...extensions: RaydiumCpmmV2ExtensionArgs[]) =>
      addRaydiumCpmmBucketV2Extensions(umi, { ...extend, bucket: raydium, extensions }),
    finalize: (...buckets: PublicKey[]): TransactionBuilder =>
      finalizeV2(umi, { genesisAccount, baseMint, ...by(authority) }).addRemainingAccounts(
        buckets.map(pubkey => ({ pubkey, isSigner: false, isWritable: true })),
      ),
  }
}
const by = (authority: Signer | undefined) => (authority ? { authority } : {})

export const sendQuote = (destinationBucket: PublicKey, percentageBps: number): BehaviorArgs => ({
  __kind: 'SendQuoteTokenPercentage',
  processed: false,
  percentageBps,
  padding: [0, 0, 0, 0],
  destinationBucket,
})
export const sendPrice = (destinationBucket: PublicKey): BehaviorArgs => ({
  __kind: 'SendStartPrice',
  processed: false,
  padding: Array(6).fill(0),
  destinationBucket,
})

/** A schedule that the program evaluates relative to a start time. */
export const schedule = (
  [time1, bps1]: [number, number],
  [time2, bps2]: [number, number],
  { start, duration, maxBps = 10_000 }: { start: number; duration: number; maxBps?: number },
) =>
  createLinearBpsScheduleV2(
    { timeBps: time1, bps: bps1 },
    { timeBps: time2, bps: bps2 },
    { startCondition: timeAt(start), duration: BigInt(duration), maxBps: BigInt(maxBps) },
  )

type Launch = ReturnType<typeof launchBuilders>

/** The steps that create the official SDK's bonding curve with a creator fee. */
export const curveSteps = (launch: Launch, creator: PublicKey): TransactionBuilder[] => [
  launch.initialize(),
  launch.addCurve(),
  launch.extendCurve([{ __kind: 'CreatorFee', creatorFee: { wallet: creator } }]),
  launch.setCurveBehaviors(sendPrice(launch.raydium), sendQuote(launch.raydium, 10_000)),
  launch.addRaydium(),
  launch.extendRaydium({ __kind: 'CreatorFee', creatorFee: { wallet: creator } }),
  launch.finalize(launch.curve, launch.raydium),
]

/** The steps that create a launch pool whose proceeds go to an unlocked bucket. */
export const poolSteps = (
  launch: Launch,
  recipient: PublicKey,
  times: { start: number; end: number },
  extensions: LaunchPoolV2ExtensionArgs[] = [],
): TransactionBuilder[] => [
  launch.initialize(),
  launch.addPool(times),
  ...extensions.map(extension => launch.extendPool(extension)),
  launch.setPoolBehaviors(sendQuote(launch.unlocked, 10_000)),
  launch.addUnlocked(recipient),
  launch.finalize(launch.pool, launch.unlocked),
]

export const newLaunch = (umi: Umi): Launch => launchBuilders(umi, signer(umi))
