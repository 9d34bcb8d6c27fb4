import { createHash } from 'node:crypto'
import { addressAt } from './address-bytes.ts'

export const BLOCKHASHES_VALID = 150
const SLOTS_TO_FINALITY = 32
export const SLOTS_PER_EPOCH = 432_000

/**
 * The chain's clock. A slot is a function of the wall-clock time since genesis, and a blockhash is a function of the
 * slot and a seed. Neither is stored: a restart continues at the current time, and a blockhash that was returned just
 * before a crash is still valid after it.
 *
 * Every slot has a block here, so block height and slot are the same number.
 */
export function createSlotClock(options: {
  seed: Uint8Array
  genesisMs: number
  /**
   * The last slot on disk. The chain never goes back before it, even if the wall clock was set back, and everything up
   * to it is final.
   */
  atLeast: number
  slotMs: number
  now?: () => number
}) {
  const { seed, genesisMs, slotMs, now = Date.now } = options
  const valid = new Map<string, number>()
  let slot = options.atLeast
  let settled = options.atLeast

  const blockhash = (of: number): string => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(of))
    return addressAt(createHash('sha256').update(seed).update(bytes).digest())
  }

  let filled = -1
  /** Only when somebody asks: most slots pass without. */
  const refill = () => {
    if (filled === slot) return
    for (const [hash, at] of valid) if (at < slot - BLOCKHASHES_VALID) valid.delete(hash)
    for (let at = Math.max(filled + 1, slot - BLOCKHASHES_VALID, 0); at <= slot; at++)
      valid.set(blockhash(at), at)
    filled = slot
  }

  return {
    slot: () => slot,
    finalizedSlot: () => Math.max(settled, slot - SLOTS_TO_FINALITY),
    /** Makes all slots up to the current one final. */
    settle(): void {
      settled = slot
    },
    epoch: () => Math.floor(slot / SLOTS_PER_EPOCH),

    /**
     * Moves to the slot of the wall clock and returns whether that is a new one. If the wall clock was set back, the
     * chain advances by one slot per call until the wall clock has caught up.
     */
    advance(): boolean {
      const wall = Math.floor((now() - genesisMs) / slotMs)
      if (wall === slot) return false
      slot = wall > slot ? wall : slot + 1
      return true
    },

    blockhash,
    /** The slot of a blockhash, or undefined if the blockhash is not valid. */
    validSlotOf(hash: string): number | undefined {
      refill()
      return valid.get(hash)
    },
    /** The earlier slots whose blockhashes are still valid, newest first. */
    recent(): { slot: number; hash: string }[] {
      refill()
      return [...valid].flatMap(([hash, at]) => (at < slot ? [{ slot: at, hash }] : [])).reverse()
    },
    /** The first slot of a second; never one before the genesis. */
    slotOf: (unixTime: number): number => Math.max(0, Math.ceil((unixTime * 1000 - genesisMs) / slotMs)),
    unixTime: (of: number): number => Math.floor((genesisMs + of * slotMs) / 1000),
  }
}
