import type { LaunchDetail, LaunchStatus, Network } from '@slipway/client'
import { type Figures, isRaise } from '../../../lib/launches.ts'

export interface MarketProps {
  data: LaunchDetail
  status: LaunchStatus
  network: Network
  figures: Figures | undefined
  /** Whether it has graduated without a pool. */
  hasEnded: boolean
}

/** Nothing is traded before a raise has graduated. */
export const tradesTitle = ({
  data,
  status,
  hasEnded,
}: Pick<MarketProps, 'data' | 'status' | 'hasEnded'>): string =>
  isRaise(data.launch.mechanic) && (status !== 'graduated' || hasEnded) ? 'Deposits' : 'Trades'
