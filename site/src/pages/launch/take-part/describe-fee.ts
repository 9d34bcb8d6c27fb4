import type { FittedQuote } from '../../../lib/fit-answers.ts'
import { nameFee } from '../../../lib/format.ts'
import type { Expected } from '../../../transactions/intent.ts'
import { findCreatorFeeSide } from './creator-fee.ts'
import { sayer, type Taking } from './taking.ts'

type Told = Pick<Taking, 'data' | 'tokens'>

/**
 * What is kept of a trade, as the box and the sheet say it, and its share of the trade if that is known. Undefined if
 * it is nothing, or not known.
 */
export function describeTradeFee(
  taking: Told,
  quote: FittedQuote,
): (Expected & { share: number | undefined }) | undefined {
  const { side, venue, fees, amountIn, amountOut } = quote
  const say = sayer(taking)
  const isBuy = side === 'buy'
  const [creator, protocol, pool] = [fees.creator, fees.protocol, fees.pool].map(units =>
    BigInt(units || 0),
  ) as [bigint, bigint, bigint]
  const isKnown = fees.creator !== '' && (venue === 'curve' ? fees.protocol : fees.pool) !== ''
  if (!isKnown) return undefined
  // A curve's fees are in the payment token. A pool takes its own from what is paid.
  const creatorSide = creator > 0n && venue !== 'curve' ? findCreatorFeeSide(quote) : 'paid'
  const [paid, received] =
    venue === 'curve'
      ? isBuy
        ? [protocol + creator, 0n]
        : [0n, protocol + creator]
      : [pool + (creatorSide === 'paid' ? creator : 0n), creatorSide === 'received' ? creator : 0n]
  const share = Number(paid) / Number(amountIn) + Number(received) / (Number(amountOut) + Number(received))
  const [sayPaid, sayReceived] = isBuy ? [say.quote, say.base] : [say.base, say.quote]
  const parts = [
    paid > 0n && sayPaid(paid),
    received > 0n && sayReceived(received),
    creatorSide === undefined && 'the creator’s',
  ].filter(part => part !== false)
  if (parts.length === 0) return undefined
  const isWhole = creatorSide !== undefined
  const name = isWhole ? nameFee(share) : 'Fees'
  return {
    label: isBuy ? `${name}, included` : name,
    amount: parts.join(' and '),
    share: isWhole ? share : undefined,
  }
}

/** What is kept of a withdrawal. */
export function describeKept(
  taking: Told,
  units: bigint,
  receives: bigint,
  hasPenalty: boolean,
): Expected | undefined {
  const kept = units - receives
  if (kept <= 0n) return undefined
  return {
    label: nameFee(Number(kept) / Number(units), hasPenalty ? 'Fee and penalty' : 'Fee'),
    amount: sayer(taking).quote(kept),
  }
}
