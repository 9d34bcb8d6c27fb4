import type { LaunchDetail, LaunchPosition } from '@slipway/client'
import { Fragment } from 'react'
import { formatUnits } from '../../../lib/format.ts'
import { symbolsOf } from './taking.ts'

/** The button that gets everything the launch owes: `Claim 12.8M HERR`, `Get 3 SOL back`. */
export function ClaimText({ data, position }: { data: LaunchDetail; position: LaunchPosition }) {
  const { claimable, refundable, proceeds, baseDecimals, quoteDecimals } = position
  const symbols = symbolsOf({ data, tokens: position })
  const owed = [
    [claimable, baseDecimals, symbols.base] as const,
    ...[refundable, proceeds].map(quote => [quote, quoteDecimals, symbols.quote] as const),
  ].filter(([units]) => units !== '0')
  const isRefund = refundable !== '0'
  if (owed.length === 0) return 'Start your payout'
  return (
    <span>
      {isRefund ? 'Get' : 'Claim'}
      {owed.map(([units, decimals, symbol], at) => (
        <Fragment key={`${symbol} ${units}`}>
          {at === 0 ? ' ' : ' and '}
          <bdi>
            {formatUnits(units, decimals)} {symbol}
          </bdi>
        </Fragment>
      ))}
      {isRefund && ' back'}
    </span>
  )
}
