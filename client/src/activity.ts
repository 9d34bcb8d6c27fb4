import type { Address, Network } from './types.ts'

export interface LaunchActivityRequest {
  /** The network; the client's by default. */
  network?: Network | undefined
  /** Default: `hour`. */
  interval?: 'minute' | 'hour' | 'day' | undefined
  /** 24 hours before `to` by default. */
  from?: string | Date | undefined
  /** Now by default. */
  to?: string | Date | undefined
}

/** Amounts are in the smallest unit, as decimal digits. */
export interface LaunchActivityValues {
  raised: string
  sold: string
  supply: string
  /** Quote per whole base token, as a decimal number. */
  price: string | null
  /** 0 to 1 towards the goal, the cap or sell-out. */
  progress: number | null
  /** Deposits counted by the chain. */
  participants: number | null
  /** Accrued so far. */
  creatorFees: string | null
}

export interface LaunchActivityPoint extends LaunchActivityValues {
  /** ISO 8601 UTC. */
  time: string
}

export interface LaunchActivity {
  genesisAddress: Address
  quoteMint: Address
  quoteDecimals: number
  baseDecimals: number
  current: LaunchActivityValues
  /** Oldest first, at most 500. */
  points: LaunchActivityPoint[]
}
