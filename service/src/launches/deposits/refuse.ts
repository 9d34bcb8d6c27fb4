import type { Refusal } from '@slipway/launch-model/actions'
import type { LimitRefusal } from '@slipway/launch-model/deposits'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { ERRORS, type ErrorCode, type ErrorDetail, ServiceError } from '@slipway/schema/errors'
import { formatUnits } from '../../lib/format-units.ts'
import type { LaunchShape, LaunchToken } from '../trading/launch-shape.ts'

/** The errors that deposits, withdrawals, claims and graduations share. */
export const DEPOSIT_REFUSALS = [
  'TRADES',
  'NEEDS_OPERATOR',
  'RESTRICTED_TOKEN',
  'TOKEN_ACCOUNT_TAKEN',
  'INSUFFICIENT_BALANCE',
  'TRANSACTION_WOULD_FAIL',
] as const satisfies ErrorCode[]

/** Turns a reason into an error. The table of errors has every reason that a builder can have. */
export const refusal = (code: Refusal, details?: readonly ErrorDetail[]): ServiceError =>
  new ServiceError(
    code in ERRORS ? (code as ErrorCode) : 'TRANSACTION_WOULD_FAIL',
    details ? { details } : {},
  )

export const limitRefusal = ({ code, limit }: LimitRefusal, { quote }: LaunchShape): ServiceError =>
  new ServiceError(code, { fill: formatLimit({ code, limit }, quote) })

/** What replaces the ellipsis in a limit's text: an amount or a time. */
export const formatLimit = ({ code, limit }: LimitRefusal, quote: LaunchToken): string =>
  code === 'COOLDOWN' ? formatSeconds(limit) : formatAmount(limit, quote)

export const formatAmount = (amount: bigint, { mint, decimals }: LaunchToken): string =>
  `${formatUnits(amount, decimals)} ${mint === WRAPPED_NATIVE_MINT ? 'SOL' : 'tokens'}`

const UNITS = [
  ['day', 86_400n],
  ['hour', 3_600n],
  ['minute', 60n],
  ['second', 1n],
] as const

/** The two largest units: `2 hours 5 minutes`, rounded up. */
function formatSeconds(seconds: bigint): string {
  const first = Math.max(
    UNITS.findIndex(([, size]) => seconds >= size),
    0,
  )
  const [last] = UNITS.slice(first, first + 2).slice(-1)
  let rest = last ? seconds + last[1] - 1n : seconds
  const words: string[] = []
  for (const [name, size] of UNITS.slice(first, first + 2)) {
    const count = rest / size
    rest %= size
    if (count > 0n) words.push(`${count} ${name}${count === 1n ? '' : 's'}`)
  }
  return words.join(' ')
}

/** If someone can take a launch's tokens or stop their transfer, Slipway can't promise the announced result. */
export function assertUnrestricted({ base, quote }: LaunchShape): void {
  if (base.isRestricted || quote.isRestricted) throw new ServiceError('RESTRICTED_TOKEN')
}
