import { createHash } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'

export const SLOT_MS = 400
export const BLOCKHASHES_VALID = 150
export const SLOTS_TO_FINALITY = 32
export const SLOTS_PER_EPOCH = 432_000

const base58 = getBase58Decoder()

/**
 * The chain's time. A slot is a function of the wall clock since the chain was made, and a blockhash a function of
 * the slot and a seed: nothing of either has to be stored, a restart continues where the world is by now, and a
 * blockhash that was handed out just before a crash is still good just after it.
 *
 * Every slot has a block here, so block height and slot are the same number.
 */
export function createSlotClock(options: {
  seed: Uint8Array
  genesisMs: number
  /**
   * The last slot that was written to disk. A wall clock that was set back must not take the chain with it, and what a
   * chain starts with is final.
   */
  atLeast: number
  slotMs?: number
  now?: () => number
}) {
  const { seed, genesisMs, slotMs = SLOT_MS, now = Date.now } = options
  const valid = new Map<string, number>()
  let slot = options.atLeast
  let settled = options.atLeast

  const blockhash = (of: number): string => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(of))
    return base58.decode(createHash('sha256').update(seed).update(bytes).digest())
  }

  let filled = -1
  const refill = () => {
    for (const [hash, at] of valid) if (at < slot - BLOCKHASHES_VALID) valid.delete(hash)
    for (let at = Math.max(filled + 1, slot - BLOCKHASHES_VALID, 0); at <= slot; at++)
      valid.set(blockhash(at), at)
    filled = slot
  }
  refill()

  return {
    slot: () => slot,
    finalizedSlot: () => Math.max(settled, slot - SLOTS_TO_FINALITY),
    /** Makes the slots so far final at once. */
    settle(): void {
      settled = slot
    },
    epoch: () => Math.floor(slot / SLOTS_PER_EPOCH),

    /**
     * Moves to the slot of the wall clock; true when that is a new one. A wall clock that was set back cannot stop the
     * chain: it then counts on by itself, a slot for each call, until the world has caught up.
     */
    advance(): boolean {
      const wall = Math.floor((now() - genesisMs) / slotMs)
      if (wall === slot) return false
      slot = wall > slot ? wall : slot + 1
      refill()
      return true
    },

    blockhash,
    /** The slot a blockhash belongs to while it may still be used. */
    validSlotOf: (hash: string): number | undefined => valid.get(hash),
    /** The slots before the current one whose blockhashes are still good, newest first. */
    recent: (): { slot: number; hash: string }[] =>
      [...valid].flatMap(([hash, at]) => (at < slot ? [{ slot: at, hash }] : [])).reverse(),
    unixTime: (of: number): number => Math.floor((genesisMs + of * slotMs) / 1000),
    slotMs,
  }
}
