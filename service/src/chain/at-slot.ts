import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@slipway/schema/errors'
import { createPlaces, type Places } from '../lib/places.ts'
import type { SharedCounts } from '../lib/shared-counts.ts'
import { createSingleFlight } from '../lib/single-flight.ts'
import type { ChainRpc } from './rpc/create-rpc.ts'

/** The chain as of a slot: the one in which a caller's transaction was confirmed. */
export interface AtSlot {
  minSlot?: number | undefined
  /** The key of the client's limits. */
  client: string
}

/**
 * Resolves once every read that begins afterwards is as of this slot or a later one. Rejects with `INVALID_MIN_SLOT`
 * if the network can't be near it, and with `SERVICE_UNAVAILABLE` if it isn't there in time or too many wait.
 */
export type ReachSlot = (at: AtSlot) => Promise<void>

/** A transaction that has just been confirmed is nowhere near that far ahead of any endpoint that works. */
const SLOTS_AHEAD_MAX = 150
const WAIT_MS_MAX = 2_000
const WAITING_MAX = { all: 64, client: 4 }

/** The requests that wait for a slot, of all networks together. */
export const createWaitingRoom = (shared?: SharedCounts): Places =>
  createPlaces('waiting', WAITING_MAX, shared)

/** For one network. All who wait share one look at its newest slot, and then the reads of what they asked for. */
export function createReachSlot(
  rpc: Pick<ChainRpc, 'newestSlot' | 'fetchSlot' | 'slotMs'>,
  room: Places,
  waitMsMax = WAIT_MS_MAX,
): ReachSlot {
  const share = createSingleFlight<'slot', boolean>()
  /** Whether an endpoint has answered. One that is behind fails. */
  const look = () =>
    share('slot', () =>
      rpc.fetchSlot().then(
        () => true,
        () => false,
      ),
    )

  async function waitFor(minSlot: number): Promise<void> {
    const endsMs = performance.now() + waitMsMax
    for (;;) {
      const hasLooked = await Promise.race([look(), sleep(endsMs - performance.now(), false)])
      if (rpc.newestSlot() >= minSlot) return
      if (hasLooked && minSlot > rpc.newestSlot() + SLOTS_AHEAD_MAX)
        throw new ServiceError('INVALID_MIN_SLOT', {
          details: [{ path: 'minSlot', message: 'is far above the newest slot of this network' }],
        })
      const leftMs = endsMs - performance.now()
      if (leftMs <= 0) throw new ServiceError('SERVICE_UNAVAILABLE')
      await sleep(Math.min(rpc.slotMs(), leftMs))
    }
  }

  return async ({ minSlot = 0, client }) => {
    if (minSlot <= rpc.newestSlot()) return
    if (room.take(client)) throw new ServiceError('SERVICE_UNAVAILABLE')
    try {
      await waitFor(minSlot)
    } finally {
      room.leave(client)
    }
  }
}
