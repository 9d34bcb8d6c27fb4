import type { LaunchDetail, LaunchStatus, Network } from '@slipway/client'
import type { Figures } from '../../../lib/launches.ts'

export interface MarketProps {
  data: LaunchDetail
  status: LaunchStatus
  network: Network
  figures: Figures | undefined
}
