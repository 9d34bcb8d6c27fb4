import { BucketTimes, getCreatorFeeSerializer } from '@metaplex-foundation/genesis'
import type { Address } from '@slipway/schema/address'
import { REWARD_KINDS } from '@slipway/schema/creator-rewards'
import type { BucketKind } from '@slipway/schema/launch'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBucketData, decodeBucketHead, decodeRewardData, headBytesOf } from './bucket.ts'
import { encode } from './bytes/codec.ts'
import { decodeGenesisData } from './genesis-account.ts'
import { LISTED_KINDS } from './kinds/kinds.ts'
import { hasPool } from './launch-times.ts'
import { anyBucket, CONDITIONS, officialBuckets, officialGenesis } from './testing/official-buckets.ts'
import { accepted, damaged } from './testing/samples.ts'

const KINDS: Record<number, BucketKind> = Object.fromEntries(
  Object.entries(officialBuckets).map(([kind, { blank }]) => [blank.key, kind]),
)

type Value = Record<string, unknown>
const isOption = (value: unknown): value is { __option: 'None' | 'Some'; value: unknown } =>
  typeof value === 'object' && value !== null && '__option' in value

/** The official client's names for fields that have another name here. */
const NAMES: Record<string, string> = {
  startCondition: 'start',
  cliffCondition: 'cliff',
  destinationBucket: 'bucket',
  __kind: 'kind',
  virtualSol: 'quote',
  virtualTokens: 'base',
  limit: 'limits',
}
const isUnused = (name: string) => /^(padding|reserved)/.test(name)

/** A part of a value of the official serializer, in the shape of our decoder. */
function convert(value: unknown): unknown {
  if (isOption(value)) return value.__option === 'None' ? undefined : unwrap(convert(value.value))
  if (value instanceof Uint8Array) return [...value]
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([name, part]) => {
    if (isUnused(name)) return []
    if (name === 'bucketTime') return [[name, BucketTimes[part as number]]]
    const converted = convert(part)
    // A condition has no time at which it was met, rather than an undefined one.
    return converted === undefined && name === 'triggeredTimestamp' ? [] : [[NAMES[name] ?? name, converted]]
  })
  return Object.fromEntries(entries)
}

/** The official client has a struct around single values, such as `{ limit }`. */
function unwrap(value: unknown): unknown {
  const values = typeof value === 'object' && value !== null ? Object.values(value) : []
  return values.length === 1 && !Array.isArray(value) ? values[0] : value
}

/** The value of the official serializer, in the shape of our decoder. */
function expected(kind: BucketKind, value: Value) {
  const { bucket, endBehaviors, constantProductParams, ...rest } = value
  const conditions = Object.fromEntries(
    Object.entries(CONDITIONS[kind]).map(([time, name]) => [time, convert(value[name])]),
  )
  for (const name of Object.values(CONDITIONS[kind])) delete rest[name]
  const fee = (value.extensions as Value).creatorFee
  const own = isOption(fee) && fee.__option === 'Some' ? (fee.value as { wallet: Address }) : undefined
  return {
    kind,
    ...(convert(rest) as object),
    ...(convert(bucket) as object),
    conditions,
    endBehaviors: convert(endBehaviors),
    ...(constantProductParams !== undefined && { virtualReserves: convert(constantProductParams) }),
    ...(own && {
      creatorFee: { wallet: own.wallet, accrued: value.creatorFeeAccrued, claimed: value.creatorFeeClaimed },
    }),
  }
}

test('a bucket is decoded as the official serializer decodes it', () => {
  const kinds = new Set<string>()
  fc.assert(
    fc.property(anyBucket, ({ kind, data }) => {
      kinds.add(kind)
      const [value] = officialBuckets[kind].serializer.deserialize(data)
      expect(decodeBucketData(data)).toEqual(expected(kind, value))
    }),
    { numRuns: 100 },
  )
  expect(kinds.size).toBe(4)
})

test('damaged bytes are decoded wherever the official serializer accepts them, and never throw', () => {
  const seen = new Set<string>()
  const data = damaged(anyBucket.map(bucket => bucket.data))
  fc.assert(
    fc.property(data, bytes => {
      const decoded = decodeBucketData(bytes)
      seen.add(typeof decoded === 'string' ? decoded : 'exists')
      const kind = KINDS[bytes[0] ?? -1]
      if (!kind) {
        expect(decoded).toBeTypeOf('string')
        return
      }
      const { serializer, blank } = officialBuckets[kind]
      const value = accepted(() => serializer.deserialize(bytes)[0])
      if (!value) return
      // The official serializer reads a bucket that ends before its list of behaviors as one with an empty list.
      if (bytes.length < serializer.serialize(blank).length) expect(decoded).toBe('malformed')
      else expect(decoded).toEqual(expected(kind, value.value))
    }),
    { numRuns: 200 },
  )
  expect([...seen].sort()).toEqual(['exists', 'malformed', 'other-kind'])
})

test('every kind of condition, bucket time and behavior that the official client knows is decoded', () => {
  for (const { name: kind, layout } of LISTED_KINDS) {
    const { serializer, blank } = officialBuckets[kind]
    const behavior = { __kind: 'None', processed: true, padding: Array(38).fill(0) }
    const data: Uint8Array = serializer.serialize({ ...blank, endBehaviors: [behavior] })
    const condition = layout.offsetOf('conditions')
    const endBehaviors = layout.offsetOf('endBehaviors')
    const relative = data.with(condition, TIME_RELATIVE)
    for (let value = 0; value < 256; value += 1) {
      for (const bytes of [
        data.with(condition, value),
        relative.with(condition + 1, value),
        data.with(endBehaviors + 4, value),
      ]) {
        const official = accepted(() => serializer.deserialize(bytes)[0])
        const decoded = decodeBucketData(bytes)
        if (official) expect(decoded).toEqual(expected(kind, official.value))
        else expect(decoded).toBe('malformed')
      }
    }
  }
})
const TIME_RELATIVE = 2

test('the first bytes of a bucket name its launch and its creator like the whole account', () => {
  fc.assert(
    fc.property(anyBucket, ({ kind, data }) => {
      const decoded = decodeBucketData(data)
      if (typeof decoded === 'string') throw new Error(decoded)
      const headBytes = headBytesOf(LISTED_KINDS.find(({ name }) => name === kind) as never)
      const head = {
        kind,
        genesis: decoded.genesis,
        ...(decoded.creatorFee && { creatorFeeWallet: decoded.creatorFee.wallet }),
      }
      expect(decodeBucketHead(data)).toEqual(head)
      expect(decodeBucketHead(data.subarray(0, headBytes))).toEqual(head)
      expect(decodeBucketHead(data.subarray(0, headBytes - 1))).toBe('malformed')
    }),
    { numRuns: 100 },
  )
})

test('a claim reads from a bucket what the whole account says', () => {
  const seen = new Set<unknown>()
  fc.assert(
    fc.property(anyBucket, ({ data }) => {
      const decoded = decodeBucketData(data)
      if (typeof decoded === 'string') throw new Error(decoded)
      const { kind, genesis, baseMint, quoteMint, creatorFee } = decoded
      const pays = kind === 'bondingCurveV2' || kind === 'raydiumCpmmV2'
      seen.add(pays && creatorFee !== undefined)
      expect(decodeRewardData(data)).toEqual(
        pays ? { kind, genesis, baseMint, quoteMint, creatorFee, hasPool: hasPool(decoded) } : 'other-kind',
      )
    }),
    { numRuns: 100 },
  )
  expect(seen).toEqual(new Set([true, false]))
})

test('a bucket that is cut short is malformed', () => {
  fc.assert(
    fc.property(anyBucket, fc.double({ min: 0, max: 0.999, noNaN: true }), ({ data }, part) => {
      const cut = data.subarray(0, Math.max(1, Math.floor(part * data.length)))
      expect(decodeBucketData(cut)).toBe('malformed')
    }),
    { numRuns: 60 },
  )
})

test('the official sizes are those seen on the network', () => {
  const sizes = Object.values(officialBuckets).map(
    ({ serializer, blank }) => serializer.serialize(blank).length,
  )
  expect(sizes).toEqual([1712, 1264, 720, 1024])
})

test('a decoded bucket is encoded as the official serializer encodes it', () => {
  fc.assert(
    fc.property(anyBucket, ({ kind, data }) => {
      const decoded = decodeBucketData(data)
      const layout = LISTED_KINDS.find(({ name }) => name === kind)?.layout
      expect(encode(layout as never, decoded as never)).toEqual(data)
    }),
    { numRuns: 100 },
  )
})

test('the head of a bucket ends with the creator fee, or with the address of its launch', () => {
  const feeBytes = getCreatorFeeSerializer().fixedSize as number
  const heads = Object.fromEntries(LISTED_KINDS.map(kind => [kind.name, headBytesOf(kind)]))
  expect(heads).toMatchObject({
    launchpoolV2: 120,
    presaleV2: 88,
    bondingCurveV2: 576 + feeBytes,
    raydiumCpmmV2: 888 + feeBytes,
  })
})

test('the API lists exactly the kinds that pay a creator as sources of rewards', () => {
  const paying = LISTED_KINDS.filter(kind => 'creatorFeeAt' in kind)
  expect(paying.map(({ name }) => name)).toEqual(REWARD_KINDS)
})

test('a launch account is decoded exactly when the official serializer accepts it', () => {
  const valid = officialGenesis.serializer.serialize(officialGenesis.blank)
  const filled = fc
    .uint8Array({ minLength: valid.length, maxLength: valid.length })
    .map(bytes => bytes.with(0, valid[0] as number))
  const seen = new Set<string>()
  fc.assert(
    fc.property(damaged(fc.oneof(filled, fc.constant(valid))), data => {
      const decoded = decodeGenesisData(data)
      seen.add(typeof decoded === 'string' ? decoded : 'exists')
      const official = data[0] === valid[0] && accepted(() => officialGenesis.serializer.deserialize(data)[0])
      if (!official) {
        expect(decoded).toBeTypeOf('string')
        return
      }
      const { totalSupplyBaseToken, ...value } = official.value
      expect(decoded).toMatchObject({ totalSupply: totalSupplyBaseToken })
      for (const name of ['bump', 'index', 'finalized', 'authority', 'baseMint', 'quoteMint', 'bucketCount'])
        expect(decoded).toHaveProperty(name, value[name])
    }),
    { numRuns: 400 },
  )
  expect([...seen].sort()).toEqual(['exists', 'malformed', 'other-kind'])
})
