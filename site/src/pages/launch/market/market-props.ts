import type { LaunchDetail, LaunchStatus, Network } from '@slipway/client'
import { type Figures, isRaise } from '../../../lib/launches.ts'

export interface MarketProps {
  data: LaunchDetail
  status: LaunchStatus
  network: Network
  figures: Figures | undefined
}

/** Nothing is traded before a raise has graduated. */
export const tradesTitle = ({ data, status }: Pick<MarketProps, 'data' | 'status'>): string =>
  isRaise(data.launch.mechanic) && status !== 'graduated' ? 'Deposits' : 'Trades'
