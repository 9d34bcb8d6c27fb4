/** The lamports that an account with this much data needs. */
export type Rent = (bytes: number) => bigint

/** Each account pays for these bytes on top of its data. */
const OVERHEAD_BYTES = 128n

/**
 * The most that the chain has ever charged, and the ceiling of its proposals. Transactions pass the rent of temporary
 * accounts on from one wallet to another, so an endpoint must not choose it.
 */
const LAMPORTS_PER_BYTE_MAX = 6_960n

/** For so long, rent that was charged by the year had to be paid in advance. */
const YEARS = 2

/**
 * What rent costs, from the data of the rent sysvar. It begins with the lamports per byte. The number of years
 * after them counts only on a chain that still charges by the year: elsewhere it is empty space.
 * Throws a `RangeError` if the rate can't be true.
 */
export function decodeRent({ buffer, byteOffset, byteLength }: Uint8Array): Rent {
  if (byteLength < 16) throw new RangeError('The rent sysvar is too short')
  const view = new DataView(buffer, byteOffset)
  const isPerYear = view.getFloat64(8, true) === YEARS
  const perByte = view.getBigUint64(0, true) * (isPerYear ? BigInt(YEARS) : 1n)
  if (perByte === 0n || perByte > LAMPORTS_PER_BYTE_MAX)
    throw new RangeError(`The rent sysvar says ${perByte} lamports per byte`)
  return bytes => (OVERHEAD_BYTES + BigInt(bytes)) * perByte
}

/** The data of a token account without extensions. */
export const TOKEN_ACCOUNT_BYTES = 165
