import type { Address } from '@slipway/schema/address'
import type { ProgramFilter } from '../rpc/program-accounts.ts'

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
