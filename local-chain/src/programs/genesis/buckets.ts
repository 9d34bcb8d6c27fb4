import {
  findBondingCurveBucketV2Pda,
  findLaunchPoolBucketV2Pda,
  findPresaleBucketV2Pda,
  findRaydiumCpmmBucketV2Pda,
  findUnlockedBucketV2Pda,
  getBondingCurveBucketV2AccountDataSerializer,
  getLaunchPoolBucketV2AccountDataSerializer,
  getPresaleBucketV2AccountDataSerializer,
  getRaydiumCpmmBucketV2AccountDataSerializer,
  getUnlockedBucketV2AccountDataSerializer,
  Key,
} from '@metaplex-foundation/genesis'
import type { Pda, PublicKey } from '@metaplex-foundation/umi'
import type { Serializer } from '@metaplex-foundation/umi/serializers'
import { memoize } from '../../memoize.ts'
import { umi } from '../umi-context.ts'

/** A kind of bucket: how its accounts are encoded, and at which addresses they are. */
export type BucketKind<Args, Bucket extends Args> = {
  readonly key: Key
  readonly serialize: (bucket: Args) => Uint8Array
  readonly deserialize: (data: Uint8Array) => [Bucket, number]
  /** A bucket of zeros, for padding and reserved fields. Callers share it, and must not change it. */
  readonly blank: () => Bucket
  readonly pda: (genesisAccount: PublicKey, bucketIndex: number) => [PublicKey, number]
}

type Finder = (context: typeof umi, seeds: { genesisAccount: PublicKey; bucketIndex: number }) => Pda

function kind<Args, Bucket extends Args>(
  key: Key,
  serializer: Serializer<Args, Bucket>,
  find: Finder,
): BucketKind<Args, Bucket> {
  // Cached, because deriving an address takes longer than the rest of an instruction.
  const derive = memoize(10_000, (name: string): [PublicKey, number] => {
    const [genesisAccount, index] = name.split(' ') as [PublicKey, string]
    const [address, bump] = find(umi, { genesisAccount, bucketIndex: Number(index) })
    return [address, bump]
  })
  let empty: Bucket | undefined
  return {
    key,
    serialize: bucket => serializer.serialize(bucket),
    deserialize: data => serializer.deserialize(data),
    blank: () => {
      empty ??= blank(serializer, key)
      return empty
    },
    pda: (genesisAccount, bucketIndex) => derive(`${genesisAccount} ${bucketIndex}`),
  }
}

export const launchPool = kind(
  Key.LaunchPoolBucketV2,
  getLaunchPoolBucketV2AccountDataSerializer(),
  findLaunchPoolBucketV2Pda,
)
export const presale = kind(
  Key.PresaleBucketV2,
  getPresaleBucketV2AccountDataSerializer(),
  findPresaleBucketV2Pda,
)
export const unlocked = kind(
  Key.UnlockedBucketV2,
  getUnlockedBucketV2AccountDataSerializer(),
  findUnlockedBucketV2Pda,
)
export const bondingCurve = kind(
  Key.BondingCurveBucketV2,
  getBondingCurveBucketV2AccountDataSerializer(),
  findBondingCurveBucketV2Pda,
)
export const raydiumCpmm = kind(
  Key.RaydiumCpmmBucketV2,
  getRaydiumCpmmBucketV2AccountDataSerializer(),
  findRaydiumCpmmBucketV2Pda,
)

const KINDS = [launchPool, presale, unlocked, bondingCurve, raydiumCpmm] as const
export type AnyBucket = ReturnType<(typeof KINDS)[number]['blank']>

/** A bucket of any kind; `undefined` if the data is something else. */
export function decodeBucket(data: Uint8Array): AnyBucket | undefined {
  return KINDS.find(({ key }) => key === data[0])?.deserialize(data)[0]
}

export function encodeBucket(bucket: AnyBucket): Uint8Array {
  const found = KINDS.find(({ key }) => key === bucket.key)
  if (!found) throw new Error(`there is no kind of bucket ${bucket.key}`)
  return (found.serialize as (value: AnyBucket) => Uint8Array)(bucket)
}

const BYTES = 4_096

/**
 * An empty account of the given kind, deserialized from zeros by its official serializer, so that padding and reserved
 * bytes need not be listed here.
 */
export function blank<From, To extends From>(serializer: Serializer<From, To>, key: number): To {
  const data = new Uint8Array(BYTES)
  data[0] = key
  return serializer.deserialize(data)[0]
}

type Extensions<T> = { [K in keyof T]: T[K] extends { __option: string } ? null : T[K] }

/** Removes all extensions: for some of them zeros do not mean absent, so a blank account contains them. */
export function withoutExtensions<T extends object>(extensions: T): Extensions<T> {
  return Object.fromEntries(
    Object.entries(extensions).map(([name, value]) => [name, isOption(value) ? null : value]),
  ) as Extensions<T>
}

const isOption = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '__option' in value
