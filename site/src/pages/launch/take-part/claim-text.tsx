import type { LaunchDetail, LaunchPosition } from '@slipway/client'
import { Fragment } from 'react'
import { formatUnits } from '../../../lib/format.ts'
import { symbolsOf } from './taking.ts'

interface Owed {
  data: LaunchDetail
  position: LaunchPosition
}

/** The button that gets everything the launch owes: `Claim 12.8M HERR`, `Get 3 SOL back`. */
export function ClaimText({ data, position }: Owed) {
  const { claimable, refundable, proceeds } = position
  if ([claimable, refundable, proceeds].every(units => units === '0')) return 'Start your payout'
  const isRefund = refundable !== '0'
  return (
    <span>
      {isRefund ? 'Get' : 'Claim'} <OwedText {...{ data, position }} />
      {isRefund && ' back'}
    </span>
  )
}

/** Everything that the launch owes, such as `12.8M HERR and 2 SOL`. */
export function OwedText({ data, position }: Owed) {
  const { claimable, refundable, proceeds, baseDecimals, quoteDecimals } = position
  const symbols = symbolsOf({ data, tokens: position })
  const owed = [
    [claimable, baseDecimals, symbols.base] as const,
    ...[refundable, proceeds].map(quote => [quote, quoteDecimals, symbols.quote] as const),
  ].filter(([units]) => units !== '0')
  return owed.map(([units, decimals, symbol], at) => (
    <Fragment key={`${symbol} ${units}`}>
      {at > 0 && ' and '}
      <bdi>
        {formatUnits(units, decimals)} {symbol}
      </bdi>
    </Fragment>
  ))
}
