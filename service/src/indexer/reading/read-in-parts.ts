import type { ProgramFilter } from '../../chain/rpc/requests.ts'

/** Only an attacker could make an answer this large; it is still read. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024
export const SEARCH_LIMITS = { attemptMs: 30_000, totalMs: 60_000, bytesMax: ANSWER_BYTES_MAX }

/** A node lists all accounts of a kind in one answer. If there are more than this, they are requested in parts. */
const WHOLE_MAX = 20_000
const PARTS = 256

/**
 * Reads all accounts of a kind, in one call or in parts, by the byte at `spreadAt`, which must be evenly distributed.
 * `read` returns the number of accounts that match the filters.
 */
export async function readInParts(
  spreadAt: number,
  read: (filters: ProgramFilter[]) => Promise<number>,
  onShare: (share: number) => void = () => {},
): Promise<void> {
  const part = (byte: number) => read([{ memcmp: { offset: spreadAt, bytes: Uint8Array.of(byte) } }])
  // The first part shows roughly how many there are in all.
  if ((await part(0)) * PARTS <= WHOLE_MAX) await read([])
  else
    for (let byte = 1; byte < PARTS; byte += 1) {
      await part(byte)
      onShare((byte + 1) / PARTS)
    }
  onShare(1)
}
