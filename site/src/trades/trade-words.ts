import type { LaunchTrade, LaunchTrades } from '@slipway/client'
import { formatShare } from '../lib/format.ts'

const KINDS: Record<LaunchTrade['kind'], string> = {
  buy: 'Bought',
  sell: 'Sold',
  deposit: 'Deposited',
  withdraw: 'Withdrew',
  claim: 'Claimed',
  refund: 'Refunded',
}

/** What the wallet did. A kind that this version doesn't know is shown by its name. */
export const describeKind = (kind: string): string => KINDS[kind as LaunchTrade['kind']] ?? kind

/** What a trade moved. A deposit counts without its fee, as positions and what was raised do. */
export const amountOf = ({ kind, quoteAmount, protocolFee }: LaunchTrade): string =>
  kind === 'deposit' && quoteAmount && protocolFee
    ? `${BigInt(quoteAmount) - BigInt(protocolFee)}`
    : quoteAmount

/** A note that the amounts are without fees, if any of the trades had one. */
export function explainFees(trades: readonly LaunchTrade[]): string | undefined {
  const charged = trades.filter(trade => amountOf(trade) !== trade.quoteAmount)
  const [rate, ...others] = new Set(
    charged.map(({ protocolFee, quoteAmount }) => formatShare(Number(protocolFee) / Number(quoteAmount))),
  )
  if (rate === undefined) return undefined
  return others.length > 0
    ? 'Deposits are shown without fees and penalties.'
    : `Deposits are shown without the ${rate} fee.`
}

/** Why trades are missing; undefined if none are. */
export const explainGaps = ({
  complete,
  reason,
}: Pick<LaunchTrades, 'complete' | 'reason'>): string | undefined =>
  complete ? undefined : reason === null ? 'Some trades are missing.' : `${reason.replace(/\.$/, '')}.`
