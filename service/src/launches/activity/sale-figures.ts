import { ratio, shareOf } from '@slipway/launch-model/kinds/bucket-kind'
import type { StoredFigures } from '../../store/activity.ts'
import type { SaleStates, SaleSums } from '../../store/sale-series.ts'

export interface SaleFigures {
  /** Trades after this time may be missing. */
  untilMs: number
  /** Computes the figures of a curve from the sums of its trades. Other figures are taken from the state. */
  toFigures(sums: SaleSums, state: StoredFigures | undefined): StoredFigures
}

/**
 * Undefined if the trades do not lead to a state that the indexer has read. Then some trades are unknown, as on a
 * curve that was not empty at first.
 */
export function createSaleFigures(total: SaleSums, { newest, onSale }: SaleStates): SaleFigures | undefined {
  const reached = newest.filter(
    ({ raised, sold }) => raised === `${total.raised}` && sold === `${total.sold}`,
  )
  const [last] = reached
  if (!last || !onSale) return undefined
  const hasFees = reached.some(({ creatorFees }) => creatorFees === `${total.creatorFees}`)
  const { supply, priceQuote, priceBase } = onSale
  // The virtual reserves of a curve never change.
  const quote = BigInt(priceQuote ?? 0) - BigInt(onSale.raised)
  const base = BigInt(priceBase ?? 0) + BigInt(onSale.sold)
  const toFigures: SaleFigures['toFigures'] = ({ raised, sold, creatorFees }, state) => {
    const price = priceQuote === null ? undefined : ratio(quote + raised, base - sold)
    return {
      raised: `${raised}`,
      sold: `${sold}`,
      supply,
      priceQuote: price ? `${price.quote}` : null,
      priceBase: price ? `${price.base}` : null,
      progress: shareOf(sold, BigInt(supply)) ?? null,
      participants: null,
      creatorFees: hasFees ? `${creatorFees}` : (state?.creatorFees ?? null),
    }
  }
  return { untilMs: last === newest[0] ? Number.POSITIVE_INFINITY : last.timeMs, toFigures }
}
