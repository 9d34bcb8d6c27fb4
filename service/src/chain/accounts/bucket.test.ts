import { BucketTimes, getCreatorFeeSerializer, Key } from '@metaplex-foundation/genesis'
import { buildLaunchAccounts, WRAPPED_SOL } from '@slipway/local-chain/world/launch-accounts'
import { launchAddresses } from '@slipway/local-chain/world/launch-addresses'
import type { Address } from '@slipway/schema/address'
import type { BucketKind } from '@slipway/schema/launch'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CORE_PROGRAM, GENESIS_PROGRAM } from '../addresses/addresses.ts'
import { decodeBucket, decodeBucketHead } from './bucket.ts'
import { BUCKET_LAYOUTS, CREATOR_FEE_BYTES, TIME_MAX } from './bucket-layouts.ts'
import { decodeGenesisAccount } from './genesis-account.ts'
import { accepted, accountOf, damaged, HERE } from './test-accounts.ts'
import { anyBucket, officialBuckets, officialGenesis } from './test-buckets.ts'

const KINDS: Record<number, BucketKind> = {
  [Key.LaunchPoolBucketV2]: 'launchpoolV2',
  [Key.PresaleBucketV2]: 'presaleV2',
  [Key.BondingCurveBucketV2]: 'bondingCurveV2',
  [Key.RaydiumCpmmBucketV2]: 'raydiumCpmmV2',
}

type Option<T> = { __option: 'None' } | { __option: 'Some'; value: T }
const some = <T>(option: Option<T>): T | undefined => (option.__option === 'Some' ? option.value : undefined)
const clamp = (value: bigint, least: number) => Math.min(Math.max(Number(value), least), TIME_MAX)

/** The value of the official serializer, in the shape of our decoder. */
// biome-ignore lint/suspicious/noExplicitAny: the four official types have the same fields.
function expected(kind: BucketKind, value: any) {
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  const condition = (given: any) => {
    const triggered = some<bigint>(given.triggeredTimestamp)
    return {
      kind: given.__kind,
      ...(given.__kind === 'TimeAbsolute' && { time: clamp(given.time, 0) }),
      ...(given.__kind === 'TimeRelative' && {
        bucket: given.bucket,
        bucketTime: BucketTimes[given.bucketTime],
        timeOffset: clamp(given.timeOffset, -TIME_MAX),
      }),
      ...(triggered !== undefined && triggered > 0n && { triggeredTimestamp: clamp(triggered, 0) }),
    }
  }
  const fee = value.extensions.creatorFee && some<{ wallet: Address }>(value.extensions.creatorFee)
  const conditions = {
    launchpoolV2: {
      DepositStart: 'depositStartCondition',
      DepositEnd: 'depositEndCondition',
      ClaimStart: 'claimStartCondition',
      ClaimEnd: 'claimEndCondition',
    },
    presaleV2: {
      DepositStart: 'depositStartCondition',
      DepositEnd: 'depositEndCondition',
      ClaimStart: 'claimStartCondition',
      ClaimEnd: 'claimEndCondition',
    },
    bondingCurveV2: { SwapStart: 'swapStartCondition', SwapEnd: 'swapEndCondition' },
    raydiumCpmmV2: { GraduateStart: 'startCondition', Graduate: 'graduateCondition' },
  }[kind]
  const [baseMint, quoteMint] = [some(value.bucket.baseMint), some(value.bucket.quoteMint)]
  return {
    exists: true,
    address: HERE,
    kind,
    genesis: value.bucket.genesis,
    bucketIndex: value.bucket.bucketIndex,
    baseTokenAllocation: value.bucket.baseTokenAllocation,
    baseTokenBalance: value.bucket.baseTokenBalance,
    ...(baseMint !== undefined && { baseMint }),
    ...(quoteMint !== undefined && { quoteMint }),
    conditions: Object.fromEntries(
      Object.entries(conditions).map(([time, name]) => [time, condition(value[name])]),
    ),
    endBehaviours: value.endBehaviors.map((given: { __kind: string; processed: boolean }) => ({
      kind: given.__kind,
      processed: given.processed,
    })),
    ...(kind !== 'raydiumCpmmV2' && { sale: expectedSale(value) }),
    ...(kind === 'raydiumCpmmV2' && { graduatedBaseTokenAmount: value.graduatedBaseTokenAmount }),
    ...(fee && {
      creatorFee: { wallet: fee.wallet, accrued: value.creatorFeeAccrued, claimed: value.creatorFeeClaimed },
    }),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function expectedSale(value: any) {
  const goal = value.extensions.minimumQuoteTokenThreshold
  const threshold = goal && some<{ amount: bigint }>(goal)
  const { virtualSol: quote, virtualTokens: base } = value.constantProductParams ?? {}
  return {
    quoteTokenDepositTotal: value.quoteTokenDepositTotal,
    ...('depositCount' in value && { depositCount: value.depositCount }),
    ...('allocationQuoteTokenCap' in value && { allocationQuoteTokenCap: value.allocationQuoteTokenCap }),
    ...(threshold && { minimumQuoteTokenThreshold: threshold.amount }),
    ...('constantProductParams' in value && { virtualReserves: { quote, base } }),
  }
}

test('a bucket is decoded as the official serializer decodes it', () => {
  const kinds = new Set<string>()
  fc.assert(
    fc.property(anyBucket, ({ kind, data }) => {
      kinds.add(kind)
      const [value] = officialBuckets[kind].serializer.deserialize(data)
      expect(decodeBucket(accountOf(GENESIS_PROGRAM, data))).toEqual(expected(kind, value))
    }),
    { numRuns: 250 },
  )
  expect(kinds.size).toBe(4)
})

test('damaged bytes are decoded wherever the official serializer accepts them, and never throw', () => {
  const seen = new Set<string>()
  const data = damaged(anyBucket.map(bucket => bucket.data))
  fc.assert(
    fc.property(data, bytes => {
      const decoded = decodeBucket(accountOf(GENESIS_PROGRAM, bytes))
      seen.add(decoded.exists ? 'exists' : decoded.reason)
      const kind = KINDS[bytes[0] ?? -1]
      if (!kind) {
        expect(decoded.exists).toBe(false)
        return
      }
      const { serializer, blank } = officialBuckets[kind]
      const value = accepted(() => serializer.deserialize(bytes)[0])
      if (!value) return
      // The official serializer reads a bucket that ends before its list of behaviours as one with an empty list.
      if (bytes.length < serializer.serialize(blank).length)
        expect(decoded).toMatchObject({ reason: 'malformed' })
      else expect(decoded).toEqual(expected(kind, value.value))
    }),
    { numRuns: 500 },
  )
  expect([...seen].sort()).toEqual(['exists', 'malformed', 'other-kind'])
})

test('every kind of condition, bucket time and behaviour that the official client knows is decoded', () => {
  for (const { kind, conditions, endBehaviours } of BUCKET_LAYOUTS) {
    const { serializer, blank } = officialBuckets[kind]
    const behaviour = { __kind: 'None', processed: true, padding: Array(38).fill(0) }
    const data: Uint8Array = serializer.serialize({ ...blank, endBehaviors: [behaviour] })
    const [condition] = Object.values(conditions)
    if (condition === undefined) throw new Error(`no condition in ${kind}`)
    const relative = data.with(condition, TIME_RELATIVE)
    for (let value = 0; value < 256; value += 1) {
      for (const bytes of [
        data.with(condition, value),
        relative.with(condition + 1, value),
        data.with(endBehaviours + 4, value),
      ]) {
        const official = accepted(() => serializer.deserialize(bytes)[0])
        const decoded = decodeBucket(accountOf(GENESIS_PROGRAM, bytes))
        if (official) expect(decoded).toEqual(expected(kind, official.value))
        else expect(decoded).toMatchObject({ exists: false, reason: 'malformed' })
      }
    }
  }
})
const TIME_RELATIVE = 2

test('the first bytes of a bucket name its launch and its creator like the whole account', () => {
  fc.assert(
    fc.property(anyBucket, ({ kind, data }) => {
      const decoded = decodeBucket(accountOf(GENESIS_PROGRAM, data))
      if (!decoded.exists) throw new Error(decoded.reason)
      const { headBytes } = BUCKET_LAYOUTS.find(layout => layout.kind === kind) ?? { headBytes: 0 }
      const head = {
        exists: true,
        address: HERE,
        kind,
        genesis: decoded.genesis,
        ...(decoded.creatorFee && { creatorFeeWallet: decoded.creatorFee.wallet }),
      }
      expect(decodeBucketHead(accountOf(GENESIS_PROGRAM, data))).toEqual(head)
      expect(decodeBucketHead(accountOf(GENESIS_PROGRAM, data.subarray(0, headBytes)))).toEqual(head)
      expect(decodeBucketHead(accountOf(GENESIS_PROGRAM, data.subarray(0, headBytes - 1)))).toMatchObject({
        reason: 'malformed',
      })
    }),
    { numRuns: 100 },
  )
})

test('a bucket that is cut short is malformed', () => {
  fc.assert(
    fc.property(anyBucket, fc.double({ min: 0, max: 0.999, noNaN: true }), ({ data }, part) => {
      const cut = data.subarray(0, Math.max(1, Math.floor(part * data.length)))
      expect(decodeBucket(accountOf(GENESIS_PROGRAM, cut))).toMatchObject({ reason: 'malformed' })
    }),
    { numRuns: 150 },
  )
})

test('the official sizes are those seen on the network', () => {
  const sizes = Object.values(officialBuckets).map(
    ({ serializer, blank }) => serializer.serialize(blank).length,
  )
  expect(sizes).toEqual([1712, 1264, 720, 1024])
})

test('the head of a bucket ends with the creator fee, or with the address of its launch', () => {
  expect(CREATOR_FEE_BYTES).toBe(getCreatorFeeSerializer().fixedSize)
  for (const { genesis, creatorFee, headBytes } of BUCKET_LAYOUTS) {
    expect(headBytes).toBe(creatorFee ? creatorFee.wallet + CREATOR_FEE_BYTES : genesis + 32)
  }
})

test('the accounts of a demo launch are decoded', () => {
  const mint = 'Mint111111111111111111111111111111111111111' as Address
  const creator = 'Creator111111111111111111111111111111111111' as Address
  const at = launchAddresses(mint, 'bondingCurveV2')
  const accounts = buildLaunchAccounts(
    {
      mechanic: 'bondingCurveV2',
      mint,
      authority: creator,
      startTime: 0,
      endTime: 0,
      supply: 1_000_000n,
      depositedLamports: 5n,
      creatorWallet: creator,
      creatorFee: { accrued: 7n, claimed: 2n },
      amm: { graduatedAt: 1_700_000_000, accrued: 30n, claimed: 10n },
    },
    () => 1n,
  )
  const read = (address: Address) =>
    accountOf(GENESIS_PROGRAM, accounts.get(address)?.data as Uint8Array, address)
  expect(decodeGenesisAccount(read(at.genesis))).toMatchObject({
    exists: true,
    index: 0,
    finalized: true,
    authority: creator,
    baseMint: mint,
    quoteMint: WRAPPED_SOL,
    totalSupply: 1_000_000n,
    bucketCount: 2,
  })
  expect(decodeBucket(read(at.primary))).toMatchObject({
    kind: 'bondingCurveV2',
    genesis: at.genesis,
    bucketIndex: 0,
    baseMint: mint,
    quoteMint: WRAPPED_SOL,
    conditions: {
      SwapStart: { kind: 'TimeAbsolute', time: 0 },
      SwapEnd: { kind: 'Triggered', triggeredTimestamp: 1_700_000_000 },
    },
    endBehaviours: [{ kind: 'SendQuoteTokenPercentage', processed: true }],
    creatorFee: { wallet: creator, accrued: 7n, claimed: 2n },
  })
  expect(decodeBucket(read(at.amm))).toMatchObject({
    kind: 'raydiumCpmmV2',
    graduatedBaseTokenAmount: 200_000n,
    creatorFee: { wallet: creator, accrued: 30n, claimed: 10n },
  })
  expect(decodeBucket(read(at.genesis))).toMatchObject({ reason: 'other-kind' })
  expect(decodeGenesisAccount(read(at.amm))).toMatchObject({ reason: 'other-kind' })
  expect(decodeBucket({ ...read(at.amm), owner: CORE_PROGRAM } as never)).toMatchObject({ reason: 'foreign' })
  expect(decodeBucket({ exists: false, address: HERE })).toMatchObject({ reason: 'missing' })
})

test('a launch account is decoded exactly when the official serializer accepts it', () => {
  const valid = officialGenesis.serializer.serialize(officialGenesis.blank)
  const filled = fc
    .uint8Array({ minLength: valid.length, maxLength: valid.length })
    .map(bytes => bytes.with(0, valid[0] as number))
  const seen = new Set<string>()
  fc.assert(
    fc.property(damaged(fc.oneof(filled, fc.constant(valid))), data => {
      const decoded = decodeGenesisAccount(accountOf(GENESIS_PROGRAM, data))
      seen.add(decoded.exists ? 'exists' : decoded.reason)
      const official = data[0] === valid[0] && accepted(() => officialGenesis.serializer.deserialize(data)[0])
      if (!official) {
        expect(decoded.exists).toBe(false)
        return
      }
      const { index, finalized, authority, baseMint, quoteMint, totalSupplyBaseToken, bucketCount } =
        official.value
      expect(decoded).toEqual({
        exists: true,
        address: HERE,
        index,
        finalized,
        authority,
        baseMint,
        quoteMint,
        totalSupply: totalSupplyBaseToken,
        bucketCount,
      })
    }),
    { numRuns: 800 },
  )
  expect([...seen].sort()).toEqual(['exists', 'malformed', 'other-kind'])
})
