import type { ChainAccount } from '../account-reader.ts'

/** What every account costs on top of its data. */
const OVERHEAD_BYTES = 128
/** Lamports per byte for two years, which makes an account exempt. */
const USUAL_PER_BYTE = 6_960

/** The rent of an account by its bytes, from the chain's own figures. */
export function decodeRent(account: ChainAccount | undefined): (bytes: number) => bigint {
  const perByte = account?.exists && account.data.length >= 16 ? readPerByte(account.data) : USUAL_PER_BYTE
  return bytes => BigInt(Math.trunc((OVERHEAD_BYTES + bytes) * perByte))
}

/** Lamports per byte and year, and how many years make an account exempt. */
function readPerByte({ buffer, byteOffset }: Uint8Array): number {
  const view = new DataView(buffer, byteOffset)
  return Number(view.getBigUint64(0, true)) * view.getFloat64(8, true)
}
