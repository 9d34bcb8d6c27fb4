import type { Serializer } from '@metaplex-foundation/umi/serializers'

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
