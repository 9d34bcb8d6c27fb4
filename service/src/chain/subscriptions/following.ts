import type { Address } from '@slipway/schema/address'
import type { ProgramFilter } from '../rpc/requests.ts'

/** A named selection of a program's accounts. */
export interface ProgramTopic {
  name: string
  program: Address
  filters: readonly ProgramFilter[]
  dataSlice?: { offset: number; length: number }
  /** The other topics continue if a node refuses this one. */
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
  /** The node has reached this slot. The parent shows whether a slot went unreported. */
  onSlot(slot: number, parent: number): void
  /** Changes are reported from now on. Earlier changes have to be read. */
  onLive(): void
  /** Nothing is reported until the next `onLive`. */
  onDown(reason: string, isRefused: boolean): void
  /** The node refuses this topic and reports the others. */
  onTopicRefused(topic: string, reason: string): void
}

export interface FollowLimits {
  connectMs: number
  /** A connection that is silent for this long counts as dead. */
  silenceMs: number
  pingMs: number
  reconnectMsMin: number
  reconnectMsMax: number
  /** Pause after a refusal, which frequent retries would not change. */
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
