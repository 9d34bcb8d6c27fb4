import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import { LRUCache } from 'lru-cache'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'

/** When things happened on the chain. */
export interface BlockTimes {
  /** Of the block of a slot; our own clock's when no node has kept it. */
  of(slot: number): Promise<Date>
  /** Of the account's newest transaction up to a slot; undefined when none is known. */
  ofLastChange(address: Address, slotMax: number): Promise<Date | undefined>
}

/** A block's time may be known a moment after the block is. */
const ATTEMPTS = 3
const ATTEMPT_PAUSE_MS = 300
const SIGNATURES = 25

export function createBlockTimes(rpc: Pick<ChainRpc, 'fetchBlockTime' | 'fetchSignatures'>): BlockTimes {
  const known = new LRUCache<number, Promise<Date>>({ max: 1_000 })

  async function fetchTime(slot: number): Promise<Date> {
    for (let attempt = 1; ; attempt += 1) {
      const seconds = await rpc.fetchBlockTime(slot)
      if (seconds !== undefined) return new Date(seconds * 1_000)
      if (attempt === ATTEMPTS) return new Date(Math.floor(Date.now() / 1_000) * 1_000)
      await sleep(ATTEMPT_PAUSE_MS)
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
    async ofLastChange(address, slotMax) {
      const all = await rpc.fetchSignatures(address, { limit: SIGNATURES })
      // One that failed has named the account and changed nothing.
      const last = all.find(({ failed, slot }) => !failed && slot <= slotMax)
      if (!last) return undefined
      return last.blockTime === undefined ? of(last.slot) : new Date(last.blockTime * 1_000)
    },
  }
}
