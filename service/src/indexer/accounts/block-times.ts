import type { Address } from '@slipway/schema/address'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import { createLru } from '../../lib/create-lru.ts'
import { pause } from '../../lib/pause.ts'

/** When things happened on the chain. */
export interface BlockTimes {
  /** The time of a slot's block, or the database's clock if no endpoint has kept the block's time. */
  of(slot: number): Promise<Date>
  /** The time of the account's newest transaction up to a slot; undefined if none is known. */
  ofLastChange(address: Address, slotMax: number): Promise<Date | undefined>
  /** Empties the cache. */
  forget(): void
}

/** A block's time may become known a moment after the block. */
const ATTEMPTS = 3
const ATTEMPT_PAUSE_MS = 300
const SIGNATURES = 25

export function createBlockTimes(
  rpc: Pick<ChainCalls, 'fetchBlockTime' | 'fetchSignatures'>,
  /** The time by the database's clock. */
  nowMs: () => number = Date.now,
): BlockTimes {
  const known = createLru<number, Promise<Date>>(1_000)

  async function fetchTime(slot: number): Promise<Date> {
    for (let attempt = 1; ; attempt += 1) {
      const seconds = await rpc.fetchBlockTime(slot)
      if (seconds !== undefined) return new Date(seconds * 1_000)
      if (attempt === ATTEMPTS) return new Date(Math.floor(nowMs() / 1_000) * 1_000)
      await pause(ATTEMPT_PAUSE_MS)
    }
  }

  function of(slot: number): Promise<Date> {
    const found = known.get(slot)
    if (found) return found
    const time = fetchTime(slot)
    known.set(slot, time)
    time.catch(() => known.delete(slot))
    return time
  }

  return {
    of,
    forget: () => known.clear(),
    async ofLastChange(address, slotMax) {
      const all = await rpc.fetchSignatures(address, { limit: SIGNATURES })
      // A failed transaction is listed too, but has changed nothing.
      const last = all.find(({ failed, slot }) => !failed && slot <= slotMax)
      if (!last) return undefined
      return last.blockTime === undefined ? of(last.slot) : new Date(last.blockTime * 1_000)
    },
  }
}
