import { reservesAfter } from '@slipway/launch-model/trade/curve'
import type { Figures } from '../../../lib/launches.ts'

/** A place on a curve. */
export interface CurvePoint {
  /** How much of what is for sale has been sold there, from 0 to 1. */
  share: number
  /** What one token costs there, without fees. */
  price: number
  /** What the curve has taken in by then, in whole tokens. */
  raised: number
}

export interface CurveShape {
  now: CurvePoint
  /** The place at which this share has been sold. */
  at(share: number): CurvePoint
}

/** A curve’s price from the first token to the last. Undefined if it sells nothing. */
export function shapeOf(
  figures: Pick<Figures, 'raised' | 'sold' | 'supply' | 'quoteDecimals' | 'baseDecimals'>,
  virtualReserves: { quote: string; base: string },
): CurveShape | undefined {
  const { quoteDecimals, baseDecimals } = figures
  const [raised, sold, supply] = [BigInt(figures.raised), BigInt(figures.sold), BigInt(figures.supply)]
  const virtual = { quote: BigInt(virtualReserves.quote), base: BigInt(virtualReserves.base) }
  const reserves = { quote: virtual.quote + raised, base: virtual.base + supply - sold }
  // Without virtual tokens, the last ones have no price.
  if (supply <= 0n || reserves.quote <= 0n || virtual.base <= 0n) return undefined
  const place = (soldThere: bigint): CurvePoint => {
    const { quote, base } = reservesAfter(reserves, soldThere - sold)
    return {
      share: Number(soldThere) / Number(supply),
      price: (Number(quote) / Number(base)) * 10 ** (baseDecimals - quoteDecimals),
      raised: Math.max(0, Number(quote - virtual.quote)) / 10 ** quoteDecimals,
    }
  }
  return {
    now: place(sold),
    at: share => place((BigInt(Math.round(share * SHARES)) * supply) / BigInt(SHARES)),
  }
}

/** Shares are as fine as this. */
const SHARES = 10_000
