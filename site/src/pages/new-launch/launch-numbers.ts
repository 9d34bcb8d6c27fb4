import { formatAmount } from '@slipway/client'
import { parseUnits } from '../../lib/parse-units.ts'
import type { Draft } from './draft.ts'

export const QUOTE_DECIMALS = 9
export const TOKEN_DECIMALS = 6
/** More than any launch has raised, and little enough for every number to be exact. */
export const SOL_MAX = 9_000_000
const BPS_MAX = 10_000
const SUPPLY_DEFAULT = 1_000_000_000

/** Whole tokens from text such as `1,000,000`; undefined if it is something else. */
export function parseSupply(text: string): number | undefined {
  const digits = text.replaceAll(/[\s,_']/g, '')
  return /^\d{1,15}$/.test(digits) && Number(digits) > 0 ? Number(digits) : undefined
}

/** SOL; undefined if it is not a positive number with at most nine decimals, or too large. */
export function parseSol(text: string): number | undefined {
  const lamports = parseUnits(text, QUOTE_DECIMALS)
  const sol = lamports === undefined ? undefined : Number(formatAmount(lamports, QUOTE_DECIMALS))
  return sol === undefined || sol > SOL_MAX ? undefined : sol
}

/** Basis points from a percentage with at most two decimals. */
export function parseBps(text: string): number | undefined {
  const bps = parseUnits(text, 2)
  return bps === undefined || bps > BPS_MAX ? undefined : Number(bps)
}

export interface CurveNumbers {
  supply: number
  forSale: number
  /** What goes into the liquidity pool with the proceeds. */
  liquidity: number
  virtualBase: number
  virtualQuote: number
  raise: number
  /** SOL for one token. */
  firstPrice: number
  lastPrice: number
}

/**
 * Tokens and prices of a curve. The shape is that of the official SDK: 28 of 39 tokens are for sale, and the price at
 * which the last one is sold equals the price at which the liquidity pool opens.
 */
export function computeCurve({ supply: text, raise: raiseText }: Draft): CurveNumbers | undefined {
  const [supply, raise] = [parseSupply(text), parseSol(raiseText)]
  if (supply === undefined || raise === undefined) return undefined
  const isDefault = supply === SUPPLY_DEFAULT
  // The official SDK's own numbers for its own supply. Otherwise whole tokens, which add up exactly.
  const forSale = isDefault ? 717_948_717.948717 : Math.floor((supply / 39) * 28)
  const liquidity = isDefault ? 282_051_282.051283 : supply - forSale
  const virtualBase = isDefault ? 464_555_052.790349 : Math.round((forSale * 11) / 17)
  if (virtualBase < 1) return undefined
  const virtualQuote = roundSol((raise * 11) / 17)
  return {
    supply,
    forSale,
    liquidity,
    virtualBase,
    virtualQuote,
    raise,
    firstPrice: virtualQuote / (virtualBase + forSale),
    lastPrice: (virtualQuote + raise) / virtualBase,
  }
}

export interface FirstBuy {
  sol: number
  tokens: number
  /** SOL for one token, after it. */
  nextPrice: number
}

/** What a first buy gets, without fees. Undefined if there is none. */
export function computeFirstBuy(draft: Draft): FirstBuy | undefined {
  const [curve, sol] = [computeCurve(draft), parseSol(draft.firstBuy)]
  if (!curve || sol === undefined) return undefined
  const { virtualQuote, virtualBase, forSale, raise } = curve
  const reserve = virtualBase + forSale
  const paid = Math.min(sol, raise)
  const tokens = Math.min(forSale, (reserve * paid) / (virtualQuote + paid))
  return { sol: paid, tokens, nextPrice: (virtualQuote + paid) / (reserve - tokens) }
}

/** What buys a whole curve, in lamports, as the program computes it. It differs from `raise` by rounding. */
export function costOf({ virtualQuote, virtualBase, forSale }: CurveNumbers): bigint {
  const quote = BigInt(Math.round(virtualQuote * 10 ** QUOTE_DECIMALS))
  const base = toUnits(virtualBase)
  return (quote * toUnits(forSale) + base - 1n) / base
}

/** Only the official SDK's own numbers have decimals, and few enough to be exact. */
const toUnits = (tokens: number): bigint =>
  Number.isInteger(tokens)
    ? BigInt(tokens) * 10n ** BigInt(TOKEN_DECIMALS)
    : BigInt(Math.round(tokens * 10 ** TOKEN_DECIMALS))

const roundSol = (value: number) => Number(value.toFixed(QUOTE_DECIMALS))

export interface PoolNumbers {
  supply: number
  forDepositors: number
  liquidity: number
  forCreator: number
  liquidityBps: number
  goal: number
}

/** Tokens of a launch pool: the liquidity pool opens at the price that depositors have paid. */
export function computePool(draft: Draft): PoolNumbers | undefined {
  const [supply, goal] = [parseSupply(draft.supply), parseSol(draft.goal)]
  const [poolBps, liquidityBps] = [parseBps(draft.poolShare), parseBps(draft.liquidityShare)]
  if (supply === undefined || goal === undefined || !poolBps || !liquidityBps) return undefined
  const forDepositors = Math.floor((supply * poolBps) / BPS_MAX)
  const liquidity = Math.floor((forDepositors * liquidityBps) / BPS_MAX)
  return {
    supply,
    forDepositors,
    liquidity,
    forCreator: supply - forDepositors - liquidity,
    liquidityBps,
    goal,
  }
}
