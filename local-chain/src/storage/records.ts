import { closeSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/**
 * The format of both files: a row of records, each `length u32 | crc32 u32 | JSON`. A record counts only when it is
 * complete and its checksum holds, so whatever a crash left at the end of a file is recognised and cut off.
 * Lamports and bytes, which JSON has no form for, are small objects.
 */
export const HEAD_BYTES = 8
const RECORD_BYTES_MAX = 256 * 1024 * 1024

export function encodeRecord(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value, pack))
  const record = Buffer.allocUnsafe(HEAD_BYTES + body.length)
  record.writeUInt32LE(body.length, 0)
  record.writeUInt32LE(crc32(body), 4)
  body.copy(record, HEAD_BYTES)
  return record
}

/** Hands every good record to `take` and returns how many bytes of the file they fill. */
export function readRecords(path: string, take: (value: unknown) => void): number {
  const file = openSync(path, 'r')
  const head = Buffer.alloc(HEAD_BYTES)
  let offset = 0
  try {
    while (readSync(file, head, 0, HEAD_BYTES, offset) === HEAD_BYTES) {
      const length = head.readUInt32LE(0)
      // Zeros are what some file systems leave behind a lost write; their checksum would hold.
      if (length === 0 || length > RECORD_BYTES_MAX) break
      const body = Buffer.allocUnsafe(length)
      if (readSync(file, body, 0, length, offset + HEAD_BYTES) !== length) break
      if (crc32(body) !== head.readUInt32LE(4)) break
      take(JSON.parse(body.toString(), unpack))
      offset += HEAD_BYTES + length
    }
    return offset
  } finally {
    closeSync(file)
  }
}

// `value` has been through `toJSON` already, which spells a Buffer out in numbers; the holder has the original.
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
