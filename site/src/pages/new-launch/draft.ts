import { formatAmount, type Network } from '@slipway/client'
import { parseUnits } from '../../lib/parse-units.ts'

export type Mechanic = 'bondingCurve' | 'launchpool'

/** The text of each field as the form begins. An empty field has the value that its hint says. */
export const EMPTY_DRAFT = {
  ...{ name: '', symbol: '', description: '', image: '' },
  ...{ website: '', social: '', telegram: '', discord: '' },
  /** Empty: that of the account. */
  network: '' as Network | '',
  /** The address of the agent that launches the token. Empty: the wallet itself. */
  agent: '',
  /** Whether the token becomes the agent's own. */
  agentToken: 'no' as 'no' | 'yes',
  /** Who gets what an agent's launch earns. */
  earner: 'wallet' as 'wallet' | 'agent',
  mechanic: 'bondingCurve' as Mechanic,
  /** Whole tokens. */
  supply: '1,000,000,000',
  /** The SOL that buys a whole curve. */
  raise: '85',
  /** In SOL. */
  firstBuy: '',
  /** What a pool must raise, in SOL. */
  goal: '50',
  /** Percent of the supply that depositors share. */
  poolShare: '60',
  /** Percent of the deposits that become liquidity. */
  liquidityShare: '50',
  lock: 'forever' as 'forever' | 'year',
  /** As `<input type="datetime-local">` writes it, in the reader's zone. */
  startsAt: '',
  endsAt: '',
}
export type Draft = typeof EMPTY_DRAFT
export type FieldName = keyof Draft

/** Who gets what the launch earns, at the beginning of a sentence. */
export const nameEarner = ({ agent, earner }: Draft): string =>
  agent !== '' && earner === 'agent' ? 'The agent’s wallet' : 'Your wallet'

export const CHOICES = {
  agentToken: ['no', 'yes'],
  earner: ['wallet', 'agent'],
  mechanic: ['bondingCurve', 'launchpool'],
  lock: ['forever', 'year'],
} satisfies { [Name in FieldName]?: Draft[Name][] }

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Of the official SDK. */
const OPEN_MS = 48 * HOUR_MS

/** No launch opens later, and dates that are much later can't be written. */
const END_MS = Date.UTC(2100, 0)

/**
 * Milliseconds of a local time from an `<input type="datetime-local">`. Undefined if it is empty or too far in the
 * future.
 */
export function parseLocalTime(text: string): number | undefined {
  const ms = text === '' ? Number.NaN : new Date(text).getTime()
  return ms < END_MS ? ms : undefined
}

/** Writes a time for such an input. */
export function toLocalTime(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * MINUTE_MS
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}

/** When a launch opens and closes. Without a start it opens now; without an end, a pool closes two days later. */
export function timesOf({ startsAt, endsAt }: Draft, nowMs: number): { startMs: number; endMs: number } {
  const startMs = parseLocalTime(startsAt) ?? Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  const endMs = parseLocalTime(endsAt) ?? Math.ceil((startMs + OPEN_MS) / HOUR_MS) * HOUR_MS
  return { startMs, endMs }
}

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

interface CurveNumbers {
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

interface FirstBuy {
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

interface PoolNumbers {
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
