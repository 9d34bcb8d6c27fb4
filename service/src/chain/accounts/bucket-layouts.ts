import type { Serializer } from '@metaplex-foundation/umi/serializers'
import { GENESIS_PROGRAM } from '../addresses/programs.ts'
import { officialClients, once } from '../official-clients.ts'
import type { BucketTime, Condition, ConditionField, ConditionLayout } from './condition.ts'

/**
 * Where things stand in a bucket. The official serializers take one to two milliseconds for one, byte by byte through
 * its paddings; a wallet can have a thousand. So they are asked once where they put what, by writing two values that
 * differ in one field and looking for the first byte that differs, and buckets are read there.
 */
export interface BucketLayouts {
  base: Record<'bucketIndex' | 'genesis' | 'baseTokenAllocation' | 'baseMint' | 'quoteMint', number>
  condition: ConditionLayout
  behaviour: { size: number; kinds: { kind: BehaviourKind; processed: number }[] }
  creatorFee: { size: number; wallet: number }
  /** By first byte. */
  buckets: Map<number, BucketLayout>
}

export interface BucketLayout {
  kind: BucketKind
  base: number
  conditions: [BucketTime, number][]
  endBehaviours: number
  /** Bytes of what follows the end behaviours. */
  rear: number
  graduatedBaseTokenAmount?: number
  creatorFee?: { accrued: number; claimed: number; extension: number }
}

export type BucketKind = 'launchpoolV2' | 'presaleV2' | 'bondingCurveV2' | 'raydiumCpmmV2'
export type BehaviourKind =
  | 'None'
  | 'SendQuoteTokenPercentage'
  | 'BaseTokenRollover'
  | 'SendStartPrice'
  | 'ReallocateBaseTokensOnFailure'

const KEY = GENESIS_PROGRAM

export const bucketLayouts = once((): BucketLayouts => {
  const genesis = officialClients.genesis()
  const base = genesis.getBucketBaseSerializer()
  const fee = genesis.getCreatorFeeSerializer()
  const at = (field: keyof BucketLayouts['base'], value: unknown) => offsetOf(base, blank(base), field, value)
  return {
    base: {
      bucketIndex: at('bucketIndex', 1),
      genesis: at('genesis', KEY),
      baseTokenAllocation: at('baseTokenAllocation', 1n),
      baseMint: at('baseMint', KEY),
      quoteMint: at('quoteMint', KEY),
    },
    condition: learnConditions(),
    behaviour: learnBehaviours(),
    creatorFee: { size: sizeOf(fee), wallet: offsetOf(fee, blank(fee), 'wallet', KEY) },
    buckets: new Map([
      [
        genesis.Key.LaunchPoolBucketV2,
        learnBucket('launchpoolV2', genesis.getLaunchPoolBucketV2GpaBuilder, DEPOSITS),
      ],
      [genesis.Key.PresaleBucketV2, learnBucket('presaleV2', genesis.getPresaleBucketV2GpaBuilder, DEPOSITS)],
      [
        genesis.Key.BondingCurveBucketV2,
        learnBucket('bondingCurveV2', genesis.getBondingCurveBucketV2GpaBuilder, SWAPS),
      ],
      [
        genesis.Key.RaydiumCpmmBucketV2,
        learnBucket('raydiumCpmmV2', genesis.getRaydiumCpmmBucketV2GpaBuilder, GRADUATION),
      ],
    ]),
  }
})

const DEPOSITS = {
  DepositStart: 'depositStartCondition',
  DepositEnd: 'depositEndCondition',
  ClaimStart: 'claimStartCondition',
  ClaimEnd: 'claimEndCondition',
} as const
const SWAPS = { SwapStart: 'swapStartCondition', SwapEnd: 'swapEndCondition' } as const
const GRADUATION = { GraduateStart: 'startCondition', Graduate: 'graduateCondition' } as const

/** The official client has a table with the place of every field that stands before the first of variable length. */
function learnBucket(
  kind: BucketKind,
  makeBuilder: (context: never) => { options: { fields?: object } },
  times: Partial<Record<BucketTime, string>>,
): BucketLayout {
  const context = { programs: { getPublicKey: () => GENESIS_PROGRAM }, rpc: {} }
  const fields = makeBuilder(context as never).options.fields as Record<
    string,
    [number | null, AnySerializer]
  >
  const place = (name: string) => {
    const at = fields[name]?.[0]
    if (typeof at !== 'number') throw new Error(`the official client has no place for ${name} in ${kind}`)
    return at
  }
  const behind = Object.values(fields).filter(([at]) => at === null)
  const extensions = fields.extensions?.[1] as AnySerializer
  return {
    kind,
    base: place('bucket'),
    conditions: Object.entries(times).map(([time, name]) => [time as BucketTime, place(name)]),
    endBehaviours: place('endBehaviors'),
    rear: behind.reduce((sum, [, serializer]) => sum + sizeOf(serializer), 0),
    ...('graduatedBaseTokenAmount' in fields && {
      graduatedBaseTokenAmount: place('graduatedBaseTokenAmount'),
    }),
    ...('creatorFeeAccrued' in fields && {
      creatorFee: {
        accrued: place('creatorFeeAccrued'),
        claimed: place('creatorFeeClaimed'),
        extension: place('extensions') + offsetOfCreatorFee(extensions),
      },
    }),
  }
}

function offsetOfCreatorFee(extensions: AnySerializer): number {
  const fee = officialClients.genesis().getCreatorFeeSerializer()
  const value = { ...blank(fee), wallet: KEY }
  return offsetOf(extensions, { ...blank(extensions), creatorFee: null }, 'creatorFee', value)
}

function learnConditions(): ConditionLayout {
  const genesis = officialClients.genesis()
  const serializer = genesis.getConditionSerializer()
  const kinds = variants(serializer).map(value => {
    const at = (field: ConditionField, other: unknown) =>
      field in value ? offsetOf(serializer, value, field, other) : Number.NaN
    return {
      kind: value.__kind as Condition['kind'],
      at: {
        time: at('time', 1n),
        bucketTime: at('bucketTime', 1),
        timeOffset: at('timeOffset', 1n),
        bucket: at('bucket', KEY),
        triggeredTimestamp: at('triggeredTimestamp', 1n),
      },
    }
  })
  const [first] = kinds
  const never = serializer.serialize({ ...variants(serializer)[0], triggeredTimestamp: null } as never)
  const notTriggered = new DataView(never.buffer, never.byteOffset).getBigInt64(
    first?.at.triggeredTimestamp ?? 0,
    true,
  )
  const bucketTimes = Object.keys(genesis.BucketTimes).filter(name =>
    Number.isNaN(Number(name)),
  ) as BucketTime[]
  return { kinds, bucketTimes, notTriggered }
}

function learnBehaviours(): BucketLayouts['behaviour'] {
  const serializer = officialClients.genesis().getBehaviorSerializer()
  return {
    size: sizeOf(serializer),
    kinds: variants(serializer).map(value => ({
      kind: value.__kind as BehaviourKind,
      processed: offsetOf(serializer, value, 'processed', true),
    })),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: serializers of every type pass through here.
type AnySerializer = Serializer<any, any>
const ROOM = 4_096

/** What the official serializer reads from zeros. */
const blank = (serializer: AnySerializer, first = 0) => {
  const zeros = new Uint8Array(ROOM)
  zeros[0] = first
  return serializer.deserialize(zeros)[0]
}

/** A blank value of each variant of a tagged union, in the order of their tags. */
function variants(serializer: AnySerializer): { __kind: string }[] {
  const found: { __kind: string }[] = []
  for (;;) {
    try {
      found.push(blank(serializer, found.length))
    } catch {
      return found
    }
  }
}

function offsetOf(serializer: AnySerializer, value: object, field: string, other: unknown): number {
  const one = serializer.serialize(value)
  const two = serializer.serialize({ ...value, [field]: other })
  const at = one.findIndex((byte, index) => byte !== two[index])
  if (at === -1) throw new Error(`the official serializer does not write ${field}`)
  return at
}

function sizeOf({ fixedSize, description }: AnySerializer): number {
  if (fixedSize === null) throw new Error(`${description} has no fixed size any more`)
  return fixedSize
}
