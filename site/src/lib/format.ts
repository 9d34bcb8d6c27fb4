import { formatAmount } from '@slipway/client'
import { NETWORK_TABLE } from '@slipway/launch-model/networks'

/** The usual payment tokens: wrapped native currency, and Circle's dollar. */
const QUOTE_SYMBOLS: Record<string, string> = {
  So11111111111111111111111111111111111111112: 'SOL',
  EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: 'USDC',
}

export const shorten = (address: string, ends = 4): string =>
  address.length <= 2 * ends + 1 ? address : `${address.slice(0, ends)}…${address.slice(-ends)}`

/** The name of a launch's payment token. */
export const quoteSymbol = (mint: string): string => QUOTE_SYMBOLS[mint] ?? shorten(mint)

/** An amount in the smallest unit, to four significant digits. */
export function formatUnits(units: string | bigint, decimals: number): string {
  return formatNumber(Number(formatAmount(units, decimals)))
}

/**
 * An amount in the smallest unit as people say it in a sentence, such as `1.9208` or `6,079,673`: from a thousand on,
 * whole, and never more than it is. Boxes and sheets say amounts the same way.
 */
export function formatSaid(units: string | bigint, decimals: number): string {
  const value = Number(formatAmount(units, decimals))
  return value >= 1_000 ? formatCount(Math.floor(value)) : said.format(value)
}

const said = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 4,
  maximumFractionDigits: 4,
  roundingPriority: 'morePrecision',
  roundingMode: 'trunc',
})

/** An amount in the smallest unit with all its digits, such as `1,234,567.5`. */
export const formatExactly = (units: string | bigint, decimals: number): string =>
  formatAmount(units, decimals).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',')

/**
 * A number to four significant digits, or to whole ones where it has more. The page is in English, so numbers are
 * too. Server and browser must agree.
 */
export function formatNumber(value: number): string {
  assertNumber(value)
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1_000_000) return compact.format(value)
  return (size >= 1_000 ? whole : short).format(value)
}

const ZEROS_MIN = 4
const SIGNIFICANT = 4
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'

/**
 * A price with four significant digits. Zeros after the point are counted if there are many: 0.0₆1025 is
 * 0.0000001025.
 */
export function formatPrice(price: string | number): string {
  const value = Number(price)
  if (!(value > 0) || value >= 10 ** -ZEROS_MIN) return formatNumber(value)
  const [digits = '', exponent = '0'] = value.toExponential(SIGNIFICANT - 1).split('e-')
  const zeros = Number(exponent) - 1
  if (zeros < ZEROS_MIN) return formatNumber(Number(`${digits}e-${exponent}`))
  const counted = [...`${zeros}`].map(digit => SUBSCRIPTS[Number(digit)]).join('')
  return `0.0${counted}${digits.replace('.', '').replace(/0+$/, '')}`
}

/** The same price without an exponent. A number has twelve digits: the rest may be noise. */
export const formatPriceExactly = (price: string | number): string =>
  typeof price === 'string' && !/e/i.test(price) ? price : exact.format(Number(price))

const exact = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: 12 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 })
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, maximumFractionDigits: 20 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

const finePercent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })
const smallPercent = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 })

/** Less than a tenth of a percent has two significant digits: it is not nothing. */
export function formatShare(share: number): string {
  assertNumber(share)
  return (share < 0.001 ? smallPercent : percent).format(share)
}

export const formatFee = (fee: number): string => finePercent.format(fee)

/** A part of a whole whose parts people add up. */
export const formatPart = (share: number): string =>
  share < 0.001 ? formatShare(share) : finePercent.format(share)

/** What is kept of an amount, as `Fee 2%`. */
export const nameFee = (fee: number, name = 'Fee'): string => (fee > 0 ? `${name} ${formatFee(fee)}` : name)

export function formatCount(count: number): string {
  assertNumber(count)
  return whole.format(count)
}

/** Whatever shows a figure that is none fails, because an answer has another shape than its type says. */
function assertNumber(value: unknown): void {
  if (typeof value !== 'number' || Number.isNaN(value)) throw new TypeError('This is not a number')
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `2 h 14 m`; the two largest units that matter. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < MINUTE) return `${seconds} s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} m`
  if (seconds < DAY) return join(Math.floor(seconds / HOUR), 'h', Math.floor((seconds % HOUR) / MINUTE), 'm')
  if (seconds < 60 * DAY) return join(Math.floor(seconds / DAY), 'd', Math.floor((seconds % DAY) / HOUR), 'h')
  return `${Math.floor(seconds / DAY)} d`
}

const join = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`

/** As above, with seconds in the last ten minutes: for a countdown that is watched. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  if (seconds >= 10 * MINUTE) return formatDuration(ms)
  if (seconds < MINUTE) return `${seconds} s`
  return `${Math.floor(seconds / MINUTE)} m ${`${seconds % MINUTE}`.padStart(2, '0')} s`
}

/** The service's end of time: there is no end. */
export const isEndless = (time: string): boolean => time.startsWith('9999-')

type Zone = 'UTC' | undefined

/** Creating a formatter takes longer than a row of the list may take. */
function createFormatters(zone: Zone) {
  const place = zone && { timeZone: zone }
  const date = { weekday: 'short', day: 'numeric', month: 'short', ...place } as const
  return {
    date: new Intl.DateTimeFormat('en-GB', date),
    dateWithYear: new Intl.DateTimeFormat('en-GB', { ...date, year: 'numeric' }),
    clock: new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      ...place,
    }),
  }
}
const formatters = new Map<Zone, ReturnType<typeof createFormatters>>()

function formattersOf(zone: Zone) {
  const known = formatters.get(zone) ?? createFormatters(zone)
  formatters.set(zone, known)
  return known
}

/** `Wed 4 Mar, 15:00`, with the year where it is not the current one. Without a zone, in the reader's. */
export function formatTime(ms: number, nowMs: number, zone?: 'UTC'): string {
  const { date, dateWithYear, clock } = formattersOf(zone)
  const isThisYear = new Date(ms).getUTCFullYear() === new Date(nowMs).getUTCFullYear()
  return `${(isThisYear ? date : dateWithYear).format(ms).replace(',', '')}, ${clock.format(ms)}`
}

/** `15:00`, in the reader's zone. */
export const formatClock = (ms: number): string => formattersOf(undefined).clock.format(ms)

export const networkName = (network: string): string =>
  (NETWORK_TABLE as Partial<Record<string, { title: string }>>)[network]?.title ?? network

export const NATIVE_DECIMALS = 9
/** What every signature on a transaction costs. */
export const FEE_LAMPORTS = 5_000

export const toSol = (lamports: bigint): string => `${formatExactly(lamports, NATIVE_DECIMALS)} SOL`
