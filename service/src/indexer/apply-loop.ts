import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import type { Applier } from './apply.ts'
import type { Pending, Work } from './pending.ts'

/** What comes in the same moment is taken together. */
const GATHER_MS = 40
const BEHIND_PAUSE_MS = 200
const RETRY_MS = 250
const RETRY_DOUBLINGS_MAX = 4

export interface ApplyLoop {
  /** Until `signal`. */
  run(): Promise<void>
  /** Whatever was told long enough ago is looked at once more. */
  lookAgain(slot: number): void
}

/** Brings into the store what is pending. What fails stays pending, and what was told is looked at again when it is final. */
export function createApplyLoop({
  pending,
  applier,
  newestSlot,
  slotsToFinality,
  onFault,
  signal,
}: {
  pending: Pending
  applier: Applier
  newestSlot(): number
  slotsToFinality: number
  onFault(error: unknown): void
  signal: AbortSignal
}): ApplyLoop {
  const due = new Map<Address, { slot: number; kind: 'launch' | 'agent' | 'bucket' }>()
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})

  function plan({ launches, agents, buckets }: Work) {
    const slot = newestSlot() + slotsToFinality
    for (const [address, hints] of launches) if (hints.size > 0) due.set(address, { slot, kind: 'launch' })
    for (const [address, told] of agents) if (told > 0) due.set(address, { slot, kind: 'agent' })
    for (const [address, told] of buckets) if (told > 0) due.set(address, { slot, kind: 'bucket' })
  }

  return {
    async run() {
      let failures = 0
      while (!signal.aborted) {
        await pending.wait(signal)
        if (signal.aborted) return
        const work = pending.take()
        try {
          const behind = await applier.apply(work)
          failures = 0
          plan(work)
          if (behind.launches.size + behind.agents.size + behind.buckets.size > 0) {
            await pause(BEHIND_PAUSE_MS)
            pending.putBack(behind)
          }
        } catch (error) {
          pending.putBack(work)
          failures += 1
          if (!signal.aborted) onFault(error)
          await pause(RETRY_MS * 2 ** Math.min(failures, RETRY_DOUBLINGS_MAX))
        }
        await pause(GATHER_MS)
      }
    },
    lookAgain(now) {
      for (const [address, { slot, kind }] of due) {
        if (slot > now) continue
        due.delete(address)
        if (kind === 'agent') pending.lookAtAgent(address, 0)
        else if (kind === 'bucket') pending.lookAtBuckets([address])
        else pending.lookAtLaunches([address])
      }
    },
  }
}
