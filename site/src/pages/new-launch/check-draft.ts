import type { SlipwayError } from '@slipway/client'
import { explainDetail } from '../../lib/explain-detail.ts'
import { formatCount } from '../../lib/format.ts'
import { findUnitsFault, parseUnits } from '../../lib/parse-units.ts'
import { findLinkFault } from '../launch/link-fields.ts'
import {
  computeCurve,
  costOf,
  type Draft,
  type FieldName,
  type Mechanic,
  parseBps,
  parseLocalTime,
  parseSol,
  parseSupply,
  QUOTE_DECIMALS,
  SOL_MAX,
  timesOf,
} from './draft.ts'

export type Faults = Partial<Record<FieldName, string>>
type Found = Partial<Record<FieldName, string | undefined>>

const NAME_BYTES_MAX = 32
const SYMBOL_BYTES_MAX = 10
export const DESCRIPTION_LENGTH_MAX = 250
const SUPPLY_MIN = 1_000_000
/** With six decimals and the virtual tokens of a curve, more would not fit into 64 bits. */
const SUPPLY_MAX = 15_000_000_000_000
const LIQUIDITY_BPS_MIN = 2_000
/** In lamports. The program refuses less. */
const FIRST_BUY_MIN = 1_000n
const OPEN_MS_MIN = 10 * 60_000

/**
 * What is wrong with a draft, as far as this page can tell. Empty required fields are reported only once the form is
 * sent, because a newly opened form has no mistakes.
 */
export function checkDraft(draft: Draft, { isSent, nowMs }: { isSent: boolean; nowMs: number }): Faults {
  const found: Found = {
    name: checkText(draft.name, NAME_BYTES_MAX, isSent && 'Enter a name.'),
    symbol: checkText(draft.symbol, SYMBOL_BYTES_MAX, isSent && 'Enter a symbol.'),
    description:
      [...draft.description.trim()].length > DESCRIPTION_LENGTH_MAX
        ? `Use at most ${DESCRIPTION_LENGTH_MAX} characters.`
        : undefined,
    image: findLinkFault('website', draft.image),
    website: findLinkFault('website', draft.website),
    social: findLinkFault('social', draft.social),
    telegram: findLinkFault('telegram', draft.telegram),
    discord: findLinkFault('discord', draft.discord),
    supply: checkSupply(draft.supply),
    ...(draft.mechanic === 'bondingCurve' ? checkCurve(draft, nowMs) : checkPool(draft, nowMs)),
  }
  return Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined))
}

function checkText(text: string, bytesMax: number, missing: string | false): string | undefined {
  const bytes = new TextEncoder().encode(text.trim()).length
  if (bytes === 0) return missing || undefined
  if (bytes > bytesMax)
    return `Too long. The chain has room for ${bytesMax} English letters, or fewer of other scripts.`
  return /[\p{Cc}\p{Cs}]/u.test(text.trim()) ? 'Remove the control characters.' : undefined
}

function checkSupply(text: string): string | undefined {
  const supply = parseSupply(text)
  if (supply === undefined) return 'Enter a whole number, such as 1,000,000,000.'
  return supply < SUPPLY_MIN || supply > SUPPLY_MAX
    ? 'Enter a number from 1 million to 15 trillion.'
    : undefined
}

function checkSol(text: string): string | undefined {
  const fault = findUnitsFault(text, QUOTE_DECIMALS)
  return fault ?? (parseSol(text) === undefined ? `Enter at most ${formatCount(SOL_MAX)} SOL.` : undefined)
}

function checkCurve(draft: Draft, nowMs: number): Found {
  const raise = parseSol(draft.raise)
  return {
    raise:
      checkSol(draft.raise) ??
      (raise !== undefined && raise < 0.001 ? 'Enter at least 0.001 SOL.' : undefined),
    firstBuy: draft.firstBuy.trim() === '' ? undefined : checkFirstBuy(draft),
    startsAt: checkStart(draft, nowMs),
  }
}

function checkFirstBuy(draft: Draft): string | undefined {
  const lamports = parseUnits(draft.firstBuy, QUOTE_DECIMALS)
  const fault = checkSol(draft.firstBuy)
  if (lamports === undefined || fault) return fault
  if (lamports < FIRST_BUY_MIN) return 'Enter at least 0.000001 SOL.'
  if (parseLocalTime(draft.startsAt) !== undefined)
    return 'A first buy needs a curve that opens at once. Leave the start or this empty.'
  const numbers = computeCurve(draft)
  return numbers && lamports >= costOf(numbers)
    ? `Enter less than ${numbers.raise} SOL, which would buy everything.`
    : undefined
}

function checkPool(draft: Draft, nowMs: number): Found {
  const [pool, liquidity] = [parseBps(draft.poolShare), parseBps(draft.liquidityShare)]
  const { startMs, endMs } = timesOf(draft, nowMs)
  return {
    goal: checkSol(draft.goal),
    poolShare:
      pool === undefined
        ? 'Enter a percentage above 0, such as 60.'
        : liquidity !== undefined && pool + (pool * liquidity) / 10_000 > 10_000
          ? 'Together with the liquidity, this is more than the whole supply.'
          : undefined,
    liquidityShare:
      liquidity === undefined || liquidity < LIQUIDITY_BPS_MIN
        ? 'Enter a percentage from 20 to 100.'
        : undefined,
    startsAt: checkStart(draft, nowMs),
    endsAt:
      draft.endsAt !== '' && parseLocalTime(draft.endsAt) === undefined
        ? NO_TIME
        : endMs <= startMs || endMs - Math.max(startMs, nowMs) < OPEN_MS_MIN
          ? 'Deposits must stay open for at least ten minutes from now.'
          : undefined,
  }
}

const NO_TIME = 'Enter a date before the year 2100.'

function checkStart({ startsAt }: Draft, nowMs: number): string | undefined {
  const ms = parseLocalTime(startsAt)
  if (ms === undefined) return startsAt === '' ? undefined : NO_TIME
  if (ms > nowMs) return undefined
  return 'This is in the past. Leave it empty to open at once.'
}

/** Where each path of a request is on the form. The first match counts. */
const PLACES: [path: RegExp, field: FieldName | Record<Mechanic, FieldName>][] = [
  [/^launch\.externalLinks\.website$/, 'website'],
  [/^launch\.externalLinks\.social$/, 'social'],
  [/^launch\.externalLinks\.telegram$/, 'telegram'],
  [/^launch\.externalLinks\.discord$/, 'discord'],
  [/^launch\.name$/, 'name'],
  [/^launch\.symbol$/, 'symbol'],
  [/^launch\.image$/, 'image'],
  [/^launch\.description$/, 'description'],
  [/^launch\.network$/, 'network'],
  [/^agent\.setToken$/, 'agentToken'],
  [/^agent(?:\.mint)?$/, 'agent'],
  [/^launch\.supply$/, 'supply'],
  [/\.(?:deposit|swap)StartCondition/, 'startsAt'],
  [/\.(?:depositEnd|swapEnd|claimEnd)Condition/, 'endsAt'],
  [/\.minimumQuoteTokenThreshold$/, 'goal'],
  [/\.virtual(?:Quote|Base)Tokens$/, 'raise'],
  [/\.firstBuy\b/, 'firstBuy'],
  [/\.fundFlows\b/, { launchpool: 'liquidityShare', bondingCurve: 'raise' }],
  [/^launch\.allocations\.\d+\.supply$/, { launchpool: 'poolShare', bondingCurve: 'supply' }],
]
/** A curve has no field for its end. */
const FIELDS_OF_POOLS = new Set<FieldName>(['goal', 'poolShare', 'liquidityShare', 'endsAt'])

/** Places the API's faults at the fields that they are about. The rest keep the API's own names. */
export function placeDetails(
  { details = [], message }: SlipwayError,
  mechanic: Mechanic,
): { faults: Faults; others: string[] } {
  const faults: Faults = {}
  const others: string[] = []
  for (const detail of details) {
    const place = PLACES.find(([path]) => path.test(detail.path))?.[1]
    const field = typeof place === 'object' ? place[mechanic] : place
    if (field === undefined || (mechanic === 'bondingCurve' && FIELDS_OF_POOLS.has(field)))
      others.push(detail.path ? `${detail.path}: ${detail.message}` : detail.message)
    else faults[field] ??= explainDetail(detail.message)
  }
  if (details.length === 0) others.push(message)
  return { faults, others }
}
