import type { LaunchDetail } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import type { Figures } from '../../../lib/launches.ts'
import type { Terms } from '../terms/read-terms.ts'

/**
 * How many tokens a first payment of 1 brings, after fees. Undefined where deposits decide that, where a wallet has
 * the first buy, and where the price is not known.
 */
export function countBought(
  { launch }: LaunchDetail,
  figures: Pick<Figures, 'price' | 'supply' | 'quoteDecimals' | 'baseDecimals'>,
  { fees, firstBuy, virtualReserves }: Pick<Terms, 'fees' | 'firstBuy' | 'virtualReserves'>,
): number | undefined {
  const { raises, isShared } = wordsOf(launch.mechanic)
  if (isShared || firstBuy) return undefined
  const net = 1 - (fees.find(({ on }) => on === 'paying')?.share ?? 0)
  if (raises) return figures.price === null ? undefined : net / Number(figures.price)
  if (!virtualReserves) return undefined
  const quote = Number(virtualReserves.quote) / 10 ** figures.quoteDecimals
  const base = (Number(virtualReserves.base) + Number(figures.supply)) / 10 ** figures.baseDecimals
  return Math.min((base * net) / (quote + net), Number(figures.supply) / 10 ** figures.baseDecimals)
}
