import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import type { ProgramFilter } from '../rpc/program-accounts.ts'
import { runSession, type SessionEnded } from './session.ts'

/** Accounts of a program that are followed under a name. */
export interface ProgramTopic {
  name: string
  program: Address
  filters: readonly ProgramFilter[]
  dataSlice?: { offset: number; length: number }
  /** A node may refuse it without everything else being given up. */
  isOptional?: boolean
}

export interface ProgramChange {
  topic: string
  slot: number
  address: Address
  data: Uint8Array
}

export interface FollowObserver {
  onChange(change: ProgramChange): void
  /** A node has come to this slot; what it was made on is told, so that a slot that was not announced is noticed. */
  onSlot(slot: number, parent: number): void
  /** From now on changes are told. What happened before is not: whoever needs it reads it now. */
  onLive(): void
  /** Nothing is told until the next `onLive`. */
  onDown(reason: string, isRefused: boolean): void
  /** The node will not tell of this one; the others are told. */
  onTopicRefused(topic: string, reason: string): void
}

export interface FollowLimits {
  connectMs: number
  /** A connection on which nothing moves for this long is dead, even if nobody has said so. */
  silenceMs: number
  pingMs: number
  reconnectMsMin: number
  reconnectMsMax: number
  /** After a refusal: nothing is mended by asking every second. */
  refusedMs: number
}

export const FOLLOW_LIMITS: FollowLimits = {
  connectMs: 5_000,
  silenceMs: 12_000,
  pingMs: 4_000,
  reconnectMsMin: 200,
  reconnectMsMax: 10_000,
  refusedMs: 30_000,
}

/** Subscribes to changes of programs' accounts at `confirmed`, and does so again whenever the connection is lost. */
export function followPrograms({
  url,
  topics,
  observer,
  limits: given,
}: {
  url: string
  topics: readonly ProgramTopic[]
  observer: FollowObserver
  limits?: Partial<FollowLimits>
}): { close(): Promise<void> } {
  const limits = { ...FOLLOW_LIMITS, ...given }
  const stopped = new AbortController()
  const done = keepFollowing()

  async function keepFollowing() {
    let failures = 0
    while (!stopped.signal.aborted) {
      const ended = await runSession({
        url,
        topics,
        limits,
        signal: stopped.signal,
        observer: {
          ...observer,
          onLive() {
            failures = 0
            observer.onLive()
          },
        },
      })
      if (stopped.signal.aborted) return
      observer.onDown(ended.message, ended.isRefused)
      failures += 1
      await sleep(pauseMs(ended, failures), undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  /** Doubles, with jitter: after an outage not all nodes come back in the same instant. */
  function pauseMs({ isRefused }: SessionEnded, failures: number): number {
    if (isRefused) return limits.refusedMs
    const grown = limits.reconnectMsMin * 2 ** Math.min(failures - 1, 10)
    return Math.min(grown, limits.reconnectMsMax) * (0.5 + Math.random() / 2)
  }

  return {
    async close() {
      stopped.abort()
      await done
    },
  }
}
