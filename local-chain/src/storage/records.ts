import { closeSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/**
 * The format of both files: a sequence of records, each `length u32 | crc32 u32 | JSON`. Only complete records with a
 * correct checksum count, so the partial record of a crash is recognised. Bigints and bytes, which JSON lacks, are
 * written as small objects.
 */
const HEADER_BYTES = 8
const RECORD_BYTES_MAX = 256 * 1024 * 1024

export function encodeRecord(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value, pack))
  const record = Buffer.allocUnsafe(HEADER_BYTES + body.length)
  record.writeUInt32LE(body.length, 0)
  record.writeUInt32LE(crc32(body), 4)
  body.copy(record, HEADER_BYTES)
  return record
}

/** Passes every intact record to `take` and returns their total length in bytes. */
export function readRecords(path: string, take: (value: unknown) => void): number {
  const file = openSync(path, 'r')
  const head = Buffer.alloc(HEADER_BYTES)
  let offset = 0
  try {
    while (readSync(file, head, 0, HEADER_BYTES, offset) === HEADER_BYTES) {
      const length = head.readUInt32LE(0)
      // Some file systems leave zeros after a lost write, and zeros have a valid checksum.
      if (length === 0 || length > RECORD_BYTES_MAX) break
      const body = Buffer.allocUnsafe(length)
      if (readSync(file, body, 0, length, offset + HEADER_BYTES) !== length) break
      if (crc32(body) !== head.readUInt32LE(4)) break
      take(JSON.parse(body.toString(), unpack))
      offset += HEADER_BYTES + length
    }
    return offset
  } finally {
    closeSync(file)
  }
}

// `toJSON` has already turned a Buffer in `value` into an array of numbers; `this` has the original.
function pack(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key]
  if (typeof original === 'bigint') return { $n: original.toString() }
  if (original instanceof Uint8Array) return { $b: Buffer.from(original).toString('base64') }
  return value
}

const unpack = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if ('$n' in value) return BigInt(value.$n as string)
  if ('$b' in value) return new Uint8Array(Buffer.from(value.$b as string, 'base64'))
  return value
}
