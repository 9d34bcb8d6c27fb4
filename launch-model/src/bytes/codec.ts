import type { Address } from '@slipway/schema/address'
import { addressAt, writeAddress } from './base58.ts'

/** Decodes and encodes a value: little-endian, like the chain's programs. */
export interface Codec<T> {
  /** How many bytes it has; undefined if that depends on the value. */
  readonly size: number | undefined
  read(from: Reader): T
  write(value: T, to: Writer): void
}

export type Decoded<C> = C extends Codec<infer T> ? T : never

/** Decodes a value at the beginning of `bytes`. Throws a RangeError if they end too early or make no sense. */
export const decode = <T>(codec: Codec<T>, bytes: Uint8Array): T => codec.read(new Reader(bytes))

/** The same, and throws if any bytes are left. */
export function decodeWhole<T>(codec: Codec<T>, bytes: Uint8Array): T {
  const reader = new Reader(bytes)
  const value = codec.read(reader)
  if (reader.at !== bytes.length) throw new RangeError('has more data than it needs')
  return value
}

/** The last writer, to be used again: making one takes longer than writing most values. */
let spare: Writer | undefined

export function encode<T>(codec: Codec<T>, value: T): Uint8Array {
  const writer = spare ?? new Writer()
  spare = undefined
  codec.write(value, writer)
  const bytes = writer.finish()
  spare = writer
  return bytes
}

export class Reader {
  /** V8 drops its optimised code for this class once no reader is left, so one is kept alive. */
  static readonly kept = new Reader(new Uint8Array(0))

  readonly bytes: Uint8Array
  readonly view: DataView
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Moves past a field and returns where it began. */
  take(size: number): number {
    const start = this.at
    if (start + size > this.bytes.length) throw new RangeError('is too short')
    this.at = start + size
    return start
  }
}

export class Writer {
  bytes = new Uint8Array(256)
  view = new DataView(this.bytes.buffer)
  private length = 0

  /** Makes room for a field of zeros, and returns where it begins. Read `bytes` and `view` after it: they may be new. */
  add(size: number): number {
    const at = this.length
    this.length += size
    if (this.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.length, 2 * this.bytes.length))
      larger.set(this.bytes)
      this.bytes = larger
      this.view = new DataView(larger.buffer)
    }
    return at
  }

  /** Returns what was written, and begins anew. */
  finish(): Uint8Array {
    const written = this.bytes.slice(0, this.length)
    this.bytes.fill(0, 0, this.length)
    this.length = 0
    return written
  }
}

const number = <T>(
  size: number,
  get: (view: DataView, at: number) => T,
  set: (view: DataView, at: number, value: T) => void,
): Codec<T> => ({
  size,
  read: from => get(from.view, from.take(size)),
  write(value, to) {
    const at = to.add(size)
    set(to.view, at, value)
  },
})

export const u8 = number(
  1,
  (view, at) => view.getUint8(at),
  (view, at, value: number) => view.setUint8(at, value),
)
export const u16 = number(
  2,
  (view, at) => view.getUint16(at, true),
  (view, at, value: number) => view.setUint16(at, value, true),
)
export const u32 = number(
  4,
  (view, at) => view.getUint32(at, true),
  (view, at, value: number) => view.setUint32(at, value, true),
)
export const u64 = number(
  8,
  (view, at) => view.getBigUint64(at, true),
  (view, at, value: bigint) => view.setBigUint64(at, value, true),
)
export const i64 = number(
  8,
  (view, at) => view.getBigInt64(at, true),
  (view, at, value: bigint) => view.setBigInt64(at, value, true),
)
export const bool = number(
  1,
  (view, at) => view.getUint8(at) === 1,
  (view, at, value: boolean) => view.setUint8(at, value ? 1 : 0),
)

/** A flag that must be 0 or 1. */
export const strictBool: Codec<boolean> = {
  ...bool,
  read(from) {
    const value = u8.read(from)
    if (value > 1) throw new RangeError('has a flag that is neither on nor off')
    return value === 1
  },
}

const ADDRESS_BYTES = 32

export const address: Codec<Address> = {
  size: ADDRESS_BYTES,
  read: from => addressAt(from.bytes, from.take(ADDRESS_BYTES)),
  write(value, to) {
    const at = to.add(ADDRESS_BYTES)
    writeAddress(value, to.bytes, at)
  },
}

/** Bytes without a meaning. They are skipped, and written as zeros. */
export const reserved = (size: number): Codec<undefined> => ({
  size,
  read: from => void from.take(size),
  write: (_, to) => void to.add(size),
})

/** Bytes that must be zero. */
export const zeros = (size: number): Codec<undefined> => constant(new Uint8Array(size))

/** Bytes that must be exactly these. */
export const constant = (expected: ArrayLike<number>): Codec<undefined> => ({
  size: expected.length,
  read(from) {
    const at = from.take(expected.length)
    for (let index = 0; index < expected.length; index++)
      if (from.bytes[at + index] !== expected[index])
        throw new RangeError('has data in a place that must be empty')
    return undefined
  },
  write(_, to) {
    const at = to.add(expected.length)
    to.bytes.set(expected, at)
  },
})

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes with their length in front. */
export const sized: Codec<Uint8Array> = {
  size: undefined,
  read(from) {
    const length = u32.read(from)
    const at = from.take(length)
    return from.bytes.subarray(at, at + length)
  },
  write(value, to) {
    u32.write(value.length, to)
    const at = to.add(value.length)
    to.bytes.set(value, at)
  },
}

function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new RangeError('has a text that is not valid', { cause })
  }
}

/** UTF-8 with its length in front. */
export const text: Codec<string> = {
  size: undefined,
  read: from => decodeText(sized.read(from)),
  write: (value, to) => sized.write(encoder.encode(value), to),
}

/** UTF-8 up to the end. */
export const restOfText: Codec<string> = {
  size: undefined,
  read(from) {
    const at = from.take(from.bytes.length - from.at)
    return decodeText(from.bytes.subarray(at))
  },
  write(value, to) {
    const encoded = encoder.encode(value)
    const at = to.add(encoded.length)
    to.bytes.set(encoded, at)
  },
}

/** A list with its length in front. */
export const list = <T>(item: Codec<T>): Codec<T[]> => ({
  size: undefined,
  read(from) {
    const length = u32.read(from)
    const values: T[] = []
    for (let index = 0; index < length; index++) values.push(item.read(from))
    return values
  },
  write(values, to) {
    u32.write(values.length, to)
    for (const value of values) item.write(value, to)
  },
})

/** A list whose length is fixed. */
export const array = <T>(item: Codec<T>, length: number): Codec<T[]> => ({
  size: item.size === undefined ? undefined : item.size * length,
  read: from => Array.from({ length }, () => item.read(from)),
  write: (values, to) => values.forEach(value => void item.write(value, to)),
})

/** A value that may be absent. Its place then holds the bytes of `absent`. */
export const optional = <T>(
  codec: Codec<T>,
  absent: { is(bytes: Uint8Array): boolean; bytes: Uint8Array },
): Codec<T | undefined> => ({
  size: absent.bytes.length,
  read(from) {
    const { at } = from
    const end = from.take(absent.bytes.length) + absent.bytes.length
    if (absent.is(from.bytes.subarray(at, end))) return undefined
    from.at = at
    return codec.read(from)
  },
  write(value, to) {
    if (value !== undefined) return codec.write(value, to)
    const at = to.add(absent.bytes.length)
    to.bytes.set(absent.bytes, at)
  },
})

type Fields = Record<string, Codec<unknown>>
type Named<F> = {
  [Name in keyof F as Name extends `_${string}` ? never : Name]: F[Name] extends Codec<infer T> ? T : never
}
export type Struct<F> = Codec<{ [Name in keyof Named<F>]: Named<F>[Name] }> & {
  readonly fields: F
  /** Where a field begins. */
  offsetOf(name: keyof F): number
}

/** Fields one after another. A name that begins with `_` has no value, and a part that is absent has no name. */
export function struct<const F extends { [Name in keyof F]: Codec<unknown> }>(fields: F): Struct<F> {
  const entries = Object.entries(fields as unknown as Fields)
  const sizes = entries.map(([, { size }]) => size)
  return {
    fields,
    size: sizes.includes(undefined) ? undefined : sizes.reduce((sum: number, size) => sum + (size ?? 0), 0),
    read(from) {
      const value: Record<string, unknown> = {}
      for (const [name, codec] of entries) {
        const read = codec.read(from)
        if (read !== undefined) value[name] = read
      }
      return value as never
    },
    write(value, to) {
      for (const [name, codec] of entries) codec.write((value as Record<string, unknown>)[name], to)
    },
    offsetOf(name) {
      let offset = 0
      for (const [other, { size }] of entries) {
        if (other === name) return offset
        if (size === undefined) throw new RangeError(`the place of ${String(name)} depends on the value`)
        offset += size
      }
      throw new RangeError(`there is no field ${String(name)}`)
    },
  }
}

/** Reads only these fields of a struct. All fields before the last of them must have a fixed size. */
export function partOf<F extends object, const Name extends keyof F & string>(
  { fields, offsetOf }: Struct<F>,
  names: readonly Name[],
): Struct<Pick<F, Name>> {
  const part: Fields = {}
  let end = 0
  for (const [name, codec] of Object.entries(fields as Fields)) {
    if (!names.includes(name as Name)) continue
    const at = offsetOf(name as Name)
    if (at > end) part[`_before ${name}`] = reserved(at - end)
    part[name] = codec
    end = at + (codec.size ?? 0)
  }
  return struct(part) as never
}
