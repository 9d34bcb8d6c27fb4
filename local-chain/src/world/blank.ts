import type { Serializer } from '@metaplex-foundation/umi/serializers'

const BYTES = 4_096

/**
 * An account of a kind with nothing in it, read by its own official serializer from zeros: the paddings and reserved
 * bytes come out right without being known here.
 */
export function blank<From, To extends From>(serializer: Serializer<From, To>, key: number): To {
  const data = new Uint8Array(BYTES)
  data[0] = key
  return serializer.deserialize(data)[0]
}

type Extensions<T> = { [K in keyof T]: T[K] extends { __option: string } ? null : T[K] }

/** Some extensions are marked absent by another pattern than zeros, so a blank one has them: this removes them all. */
export function withoutExtensions<T extends object>(extensions: T): Extensions<T> {
  return Object.fromEntries(
    Object.entries(extensions).map(([name, value]) => [name, isOption(value) ? null : value]),
  ) as Extensions<T>
}

const isOption = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '__option' in value
