import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import type { LaunchPosition } from '@slipway/schema/position'
import type { Database } from '../../store/database.ts'
import { sumTrades } from '../../store/trades.ts'
import type { Markets } from '../trading/markets.ts'
import { buildPosition } from './build-position.ts'
import { positionAccounts, toPosition } from './resolve-position.ts'

/** What a wallet has in a registered launch. Requests within a slot share one read. */
export type ReadPosition = (
  network: Network,
  genesis: Address,
  wallet: Address,
  minSlot?: number,
) => Promise<LaunchPosition>

export const createReadPosition =
  (markets: Partial<Record<Network, Pick<Markets, 'readShared'>>>, database: Database): ReadPosition =>
  async (network, genesis, wallet, minSlot) => {
    const market = markets[network]
    if (!market) throw new ServiceError('LAUNCH_NOT_FOUND')
    const [reading, sums] = await Promise.all([
      market.readShared(genesis, wallet, positionAccounts(wallet), minSlot),
      sumTrades(database, network, genesis, wallet),
    ])
    const position = buildPosition(toPosition(reading, wallet))
    return sums ? { ...position, paid: `${sums.paid}`, received: `${sums.received}` } : position
  }
