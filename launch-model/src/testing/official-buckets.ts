import {
  getBondingCurveBucketV2AccountDataSerializer,
  getGenesisAccountV2AccountDataSerializer,
  getLaunchPoolBucketV2AccountDataSerializer,
  getPresaleBucketV2AccountDataSerializer,
  getRaydiumCpmmBucketV2AccountDataSerializer,
  Key,
} from '@metaplex-foundation/genesis'
import type { Serializer } from '@metaplex-foundation/umi/serializers'
import type { BucketKind } from '@slipway/schema/launch'
import fc from 'fast-check'
import { anyAddress, i64, u64 } from './samples.ts'

// biome-ignore lint/suspicious/noExplicitAny: the four types of bucket are built the same way.
type AnySerializer = Serializer<any, any>

/** The official serializers, each with a blank value: what it reads from zeros, without any extension. */
export const officialBuckets: Record<
  BucketKind,
  { serializer: AnySerializer; blank: Record<string, unknown> }
> = {
  launchpoolV2: blankOf(getLaunchPoolBucketV2AccountDataSerializer(), Key.LaunchPoolBucketV2),
  presaleV2: blankOf(getPresaleBucketV2AccountDataSerializer(), Key.PresaleBucketV2),
  bondingCurveV2: blankOf(getBondingCurveBucketV2AccountDataSerializer(), Key.BondingCurveBucketV2),
  raydiumCpmmV2: blankOf(getRaydiumCpmmBucketV2AccountDataSerializer(), Key.RaydiumCpmmBucketV2),
}
export const officialGenesis = blankOf(getGenesisAccountV2AccountDataSerializer(), Key.GenesisAccountV2)

function blankOf(serializer: AnySerializer, key: number) {
  const zeros = new Uint8Array(4_096)
  zeros[0] = key
  const [value] = serializer.deserialize(zeros)
  if (value.extensions) {
    for (const [name, extension] of Object.entries(value.extensions)) {
      if (typeof extension === 'object' && '__option' in (extension as object)) value.extensions[name] = null
    }
  }
  return { serializer, blank: value as Record<string, unknown> }
}

const padding = (length: number) => Array(length).fill(0)
const condition = fc.option(i64).chain(triggeredTimestamp =>
  fc.oneof(
    fc
      .constantFrom('Uninitialized', 'Triggered', 'Never', 'Always')
      .map(kind => ({ __kind: kind, padding: padding(55), triggeredTimestamp })),
    fc
      .oneof(i64, fc.bigInt({ min: 0n, max: 4_000_000_000n }))
      .map(time => ({ __kind: 'TimeAbsolute', padding: padding(47), time, triggeredTimestamp })),
    fc
      .record({ bucketTime: fc.nat(9), timeOffset: i64, bucket: anyAddress })
      .map(value => ({ __kind: 'TimeRelative', padding: padding(14), triggeredTimestamp, ...value })),
  ),
)
const behavior = fc
  .tuple(fc.boolean(), anyAddress, fc.nat(10_000))
  .chain(([processed, destinationBucket, percentageBps]) =>
    fc.oneof(
      fc.constant({ __kind: 'None', processed, padding: padding(38) }),
      fc.constant({ __kind: 'SendStartPrice', processed, padding: padding(6), destinationBucket }),
      fc
        .constantFrom('SendQuoteTokenPercentage', 'BaseTokenRollover', 'ReallocateBaseTokensOnFailure')
        .map(kind => ({ __kind: kind, processed, percentageBps, padding: padding(4), destinationBucket })),
    ),
  )
const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 2n })
const schedule = fc
  .record({ slopeBps: i64, interceptBps: i64, maxBps: u64, startCondition: condition, duration: i64 })
  .map(value => ({ ...value, reserved: new Uint8Array(64) }))
const release = fc
  .record({
    startCondition: condition,
    duration: u64,
    period: u64,
    cliffCondition: condition,
    cliffAmountBps: fc.nat(10_000),
  })
  .map(value => ({ ...value, reserved: padding(126) }))
const creatorFee = fc.record({
  wallet: anyAddress,
  feeType: fc.nat(1),
  padding: fc.constant(padding(7)),
  fee: u64,
})

/** Extensions that only some kinds have, by their official names. */
const EXTENSIONS: Record<string, fc.Arbitrary<unknown>> = {
  depositPenalty: fc.option(schedule),
  withdrawPenalty: fc.option(schedule),
  bonusSchedule: fc.option(schedule),
  claimSchedule: fc.option(release),
  lpLockSchedule: fc.option(release),
  backendSigner: fc.option(fc.record({ signer: anyAddress })),
  depositLimit: fc.option(fc.record({ limit: amount })),
  minimumDepositAmount: fc.option(fc.record({ amount })),
  depositCooldown: fc.option(fc.record({ duration: amount })),
  perCooldownDepositLimit: fc.option(fc.record({ limit: amount })),
  firstBuy: fc.option(fc.record({ buyer: anyAddress, amount })),
  firstBuyDone: fc.boolean(),
}

const DEPOSITS = {
  DepositStart: 'depositStartCondition',
  DepositEnd: 'depositEndCondition',
  ClaimStart: 'claimStartCondition',
  ClaimEnd: 'claimEndCondition',
}
/** The times of each kind, and the official client's names for their conditions. */
export const CONDITIONS: Record<BucketKind, Record<string, string>> = {
  launchpoolV2: DEPOSITS,
  presaleV2: DEPOSITS,
  bondingCurveV2: { SwapStart: 'swapStartCondition', SwapEnd: 'swapEndCondition' },
  raydiumCpmmV2: { GraduateStart: 'startCondition', Graduate: 'graduateCondition' },
}

/** Any bucket, as the official serializer writes it. */
export const anyBucket = fc.constantFrom(...(Object.keys(officialBuckets) as BucketKind[])).chain(kind => {
  const { serializer, blank } = officialBuckets[kind]
  const base = blank.bucket as object
  return fc
    .record({
      conditions: fc.tuple(...Object.keys(CONDITIONS[kind]).map(() => condition)),
      bucket: fc.record({
        bump: fc.nat(255),
        bucketIndex: fc.nat(255),
        genesis: anyAddress,
        baseTokenAllocation: u64,
        baseTokenBalance: u64,
        quoteTokenBalance: u64,
        fee: u64,
        baseMint: fc.option(anyAddress),
        quoteMint: fc.option(anyAddress),
      }),
      endBehaviors: fc.array(behavior, { maxLength: 3 }),
      fees: fc.tuple(u64, u64, fc.option(creatorFee), u64),
      sale: fc.tuple(u64, u64, u64, u64, u64, fc.option(amount)),
      extensions: fc.record(
        Object.fromEntries(
          Object.entries(EXTENSIONS).filter(([name]) => name in (blank.extensions as object)),
        ),
      ),
    })
    .map(
      ({ conditions, bucket, endBehaviors, fees: [accrued, claimed, fee, graduated], sale, extensions }) => {
        const value: Record<string, unknown> = {
          ...blank,
          bucket: { ...base, ...bucket },
          endBehaviors,
          extensions: { ...(blank.extensions as object), ...extensions },
        }
        for (const [index, name] of Object.values(CONDITIONS[kind]).entries()) value[name] = conditions[index]
        addSale(value, sale)
        if ('creatorFeeAccrued' in blank) {
          value.creatorFeeAccrued = accrued
          value.creatorFeeClaimed = claimed
          value.extensions = { ...(value.extensions as object), creatorFee: fee }
        }
        if ('graduatedBaseTokenAmount' in blank) value.graduatedBaseTokenAmount = graduated
        return { kind, data: serializer.serialize(value) as Uint8Array }
      },
    )
})

function addSale(
  value: Record<string, unknown>,
  [deposits, count, cap, virtualSol, virtualTokens, goal]: [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint | null,
  ],
): void {
  if ('quoteTokenDepositTotal' in value) value.quoteTokenDepositTotal = deposits
  if ('depositCount' in value) value.depositCount = count
  if ('allocationQuoteTokenCap' in value) value.allocationQuoteTokenCap = cap
  if ('constantProductParams' in value) value.constantProductParams = { virtualSol, virtualTokens }
  const extensions = value.extensions as object
  if ('minimumQuoteTokenThreshold' in extensions)
    value.extensions = { ...extensions, minimumQuoteTokenThreshold: goal === null ? null : { amount: goal } }
}
