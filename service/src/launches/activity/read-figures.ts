import type { ActivityInterval } from '@slipway/schema/activity'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { type Activity, readActivity } from '../../store/activity.ts'
import type { Database } from '../../store/database.ts'
import { readSaleSeries, readSaleStates } from '../../store/sale-series.ts'
import { readTradesProgress } from '../../store/trade-progress.ts'
import { INTERVAL_MS } from './build-activity.ts'
import { createSaleFigures } from './sale-figures.ts'

const MINUTE_MS = 60_000
/** Of more recent changes, the states may be known earlier than the trades. */
const SETTLED_MS = MINUTE_MS

/**
 * A launch's figures at the end of each interval. On a curve whose trades are complete, they follow from the trades, up
 * to the last state that the trades explain. Otherwise they are the last ones that the indexer has read. Undefined if
 * the launch does not exist or is hidden.
 */
export async function readFigures(
  database: Database,
  { network, genesisAddress }: { network: Network; genesisAddress: Address },
  { interval, starts, nowMs }: { interval: ActivityInterval; starts: readonly number[]; nowMs: number },
): Promise<Activity | undefined> {
  const lengthMs = INTERVAL_MS[interval]
  const ends = starts.map(start => new Date(start + lengthMs))
  const activity = await readActivity(database, { network, genesisAddress }, ends)
  if (!activity) return undefined
  const { launchId, graduatedAt } = activity
  const series = await readSaleSeries(database, launchId, { minutes: lengthMs / MINUTE_MS, starts })
  if (!series.total) return activity
  const sale = createSaleFigures(series.total, await readSaleStates(database, launchId, graduatedAt))
  if (!sale || !(await readTradesProgress(database, network, genesisAddress)).complete) return activity
  const untilMs = Math.min(
    nowMs - SETTLED_MS,
    sale.untilMs,
    graduatedAt?.getTime() ?? Number.POSITIVE_INFINITY,
  )
  return {
    ...activity,
    points: activity.points.map((state, at) => {
      const sums = series.points[at]
      return sums && (ends[at] as Date).getTime() <= untilMs ? sale.toFigures(sums, state) : state
    }),
  }
}
