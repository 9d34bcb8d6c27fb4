import type { Address } from '@slipway/schema/address'
import { pause } from '../../lib/pause.ts'
import type { AccountUpdater, Work } from '../accounts/account-updater.ts'
import type { PendingChanges } from './pending-changes.ts'

/** Changes that arrive together are applied together. */
const GATHER_MS = 40
const BEHIND_PAUSE_MS = 200
const RETRY_DOUBLINGS_MAX = 4

interface ApplyLoop {
  /** Runs until the signal. */
  run(): Promise<void>
  /** Schedules another read of the accounts whose reported change is final by this slot. */
  recheckFinal(slot: number): void
}

/** Brings pending changes into the store. A change that fails stays pending. */
export function createApplyLoop({
  pending,
  updater,
  newestSlot,
  limits: { slotsToFinality, retryMs },
  onFault,
  signal,
}: {
  pending: PendingChanges
  updater: AccountUpdater
  newestSlot(): number
  limits: { slotsToFinality: number; retryMs: number }
  onFault(error: unknown): void
  signal: AbortSignal
}): ApplyLoop {
  const due = new Map<Address, { slot: number; kind: 'launch' | 'agent' | 'bucket' }>()

  /** A change may be on a fork that is dropped, so a reported account is read again once its slot is final. */
  function scheduleRecheck({ launches, agents, buckets }: Work) {
    const slot = newestSlot() + slotsToFinality
    for (const [address, hints] of launches) if (hints.size > 0) due.set(address, { slot, kind: 'launch' })
    for (const [address, reported] of agents) if (reported > 0) due.set(address, { slot, kind: 'agent' })
    for (const [address, reported] of buckets) if (reported > 0) due.set(address, { slot, kind: 'bucket' })
  }

  return {
    async run() {
      let failures = 0
      while (!signal.aborted) {
        await pending.wait(signal)
        if (signal.aborted) return
        const work = pending.take()
        try {
          const behind = await updater.apply(work)
          failures = 0
          scheduleRecheck(work)
          if (behind.launches.size + behind.agents.size + behind.buckets.size > 0) {
            await pause(BEHIND_PAUSE_MS, signal)
            pending.putBack(behind)
          }
        } catch (error) {
          pending.putBack(work)
          failures += 1
          if (!signal.aborted) onFault(error)
          await pause(retryMs * 2 ** Math.min(failures, RETRY_DOUBLINGS_MAX), signal)
        }
        await pause(GATHER_MS, signal)
      }
    },
    recheckFinal(now) {
      for (const [address, { slot, kind }] of due) {
        if (slot > now) continue
        due.delete(address)
        if (kind === 'agent') pending.addAgent(address, 0)
        else if (kind === 'bucket') pending.addBucket(address)
        else pending.addLaunch(address)
      }
    },
  }
}
