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

/**
 * What a trade moved. A deposit counts without its fee and a withdrawal with it, as positions and what was raised do.
 */
export function amountOf({ kind, quoteAmount, protocolFee }: LaunchTrade): string {
  const sign = kind === 'deposit' ? -1n : kind === 'withdraw' ? 1n : 0n
  return quoteAmount && protocolFee ? `${BigInt(quoteAmount) + sign * BigInt(protocolFee)}` : quoteAmount
}

/** Which figures of the trades have the fees in them. Undefined if there is nothing to say. */
export function explainFees(trades: readonly LaunchTrade[]): string | undefined {
  const isTraded = trades.some(({ kind }) => kind === 'buy' || kind === 'sell')
  const notes = [isTraded && 'Prices are before fees.', explainDepositFees(trades)]
  return notes.filter(note => typeof note === 'string').join(' ') || undefined
}

function explainDepositFees(trades: readonly LaunchTrade[]): string | undefined {
  const charged = trades.filter(trade => amountOf(trade) !== trade.quoteAmount)
  const shareOf = (trade: LaunchTrade) =>
    Number(trade.protocolFee) / Math.max(Number(trade.quoteAmount), Number(amountOf(trade)))
  const [rate, ...others] = new Set(charged.map(trade => formatShare(shareOf(trade))))
  if (rate === undefined) return undefined
  const isOne = others.length === 0
  const fee = isOne ? `the ${rate} fee` : 'fees and penalties'
  if (!charged.some(({ kind }) => kind === 'withdraw')) return `Deposits are shown without ${fee}.`
  return charged.some(({ kind }) => kind === 'deposit')
    ? `Deposits are shown without ${fee}. Withdrawals include ${isOne ? 'it' : 'them'}.`
    : `Withdrawals include ${fee}.`
}

/** Why trades are missing; undefined if none are. */
export const explainGaps = ({
  complete,
  reason,
}: Pick<LaunchTrades, 'complete' | 'reason'>): string | undefined =>
  complete ? undefined : reason === null ? 'Some trades are missing.' : `${reason.replace(/\.$/, '')}.`
