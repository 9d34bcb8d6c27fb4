import { REFUSALS, type Refusal } from '@slipway/launch-model/actions'
import { tokensOf } from '@slipway/launch-model/calls/trades'
import { refuseDeposit } from '@slipway/launch-model/deposits'
import { kindOf } from '@slipway/launch-model/kinds/kinds'
import { clampTime } from '@slipway/launch-model/launch-times'
import type { Owed, Position } from '@slipway/launch-model/position'
import type { Address } from '@slipway/schema/address'
import type { LaunchPosition } from '@slipway/schema/position'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeTokenAccount } from '../../chain/accounts/token-account.ts'
import type { MarketReading } from '../trading/read-market.ts'
import { formatLimit } from './refuse.ts'
import type { PositionReading } from './resolve-position.ts'

/** What a wallet has in a launch, as the API shows it. */
export function buildPosition({ reading, position }: PositionReading): LaunchPosition {
  const { shape, others, slot } = reading
  const { wallet } = position
  const balance = decodeTokenAccount(others.get(tokensOf(shape.base, wallet)) as ChainAccount)
  const sum = (kinds: Owed['kind'][], field: 'tokens' | 'quote') =>
    `${position.owed.filter(({ kind }) => kinds.includes(kind)).reduce((total, owed) => total + owed[field], 0n)}`
  return {
    wallet,
    ...holdings(position),
    claimable: sum(['claim', 'unlocked'], 'tokens'),
    refundable: sum(['refund'], 'quote'),
    proceeds: sum(['unlocked'], 'quote'),
    balance: `${balance.exists ? balance.amount : 0n}`,
    paid: null,
    received: null,
    nextClaim: position.nextClaim === undefined ? null : toTime(position.nextClaim),
    actions: listActions(reading, position),
    unreadParts: shape.unread,
    quoteMint: shape.quote.mint,
    quoteDecimals: shape.quote.decimals,
    baseDecimals: shape.base.decimals,
    slot,
  }
}

export const toTime = (seconds: bigint): string => new Date(clampTime(Number(seconds)) * 1_000).toISOString()

function holdings({ buckets, unlocked, deposits, wallet, owed }: Position) {
  const isRefunded = (bucket: Address) =>
    owed.some(({ kind, bucket: { address } }) => kind === 'refund' && address === bucket)
  let [deposited, entitled, claimed, share] = [0n, 0n, 0n, 0]
  for (const bucket of buckets) {
    const deposit = deposits.get(bucket.address)
    const { deposits: kind } = kindOf(bucket.kind)
    if (!deposit || !kind || deposit.refunded) continue
    deposited += deposit.amount
    if (!isRefunded(bucket.address)) entitled += kind.entitled(bucket as never, deposit)
    claimed += deposit.amountClaimed
    share = Math.max(share, shareOf(kind.share(bucket as never, deposit)))
  }
  for (const bucket of unlocked.filter(({ recipient }) => recipient === wallet)) {
    entitled += bucket.baseTokenAllocation
    if (bucket.claimed) claimed += bucket.baseTokenAllocation
  }
  return { deposited: `${deposited}`, share, entitled: `${entitled}`, claimed: `${claimed}` }
}

const SHARE_PARTS = 10n ** 12n
const shareOf = ({ part, whole }: { part: bigint; whole: bigint }): number =>
  whole === 0n ? 0 : Number((part * SHARE_PARTS) / whole) / Number(SHARE_PARTS)

const SHOWN = ['buy', 'sell', 'deposit', 'withdraw', 'claim'] as const

function listActions({ shape, market }: MarketReading, position: Position) {
  const { base, quote } = shape
  const isRestricted = base.isRestricted || quote.isRestricted
  const poolFault = typeof market.pool === 'string' ? market.pool : undefined
  const reasonFor = (action: (typeof SHOWN)[number]): string | null => {
    const trades = action === 'buy' || action === 'sell'
    const refusal: Refusal | undefined =
      position.refusals[action] ??
      (isRestricted && (trades || action === 'deposit') ? 'RESTRICTED_TOKEN' : trades ? poolFault : undefined)
    if (refusal) return REFUSALS[refusal]
    return action === 'deposit' ? limitReason(position, quote) : null
  }
  return SHOWN.map(action => {
    const reason = reasonFor(action)
    return { action, available: reason === null, reason }
  })
}

/** The limit that rules out even the smallest deposit now, in words. */
function limitReason({ nowSeconds, primary, deposit }: Position, quote: MarketReading['shape']['quote']) {
  const now = BigInt(nowSeconds)
  const limits = primary && kindOf(primary.kind).deposits?.limits(primary as never, now)
  const found = limits && refuseDeposit({ ...limits, minimum: undefined }, deposit, 1n, now)
  return found ? REFUSALS[found.code].replace('…', formatLimit(found, quote)) : null
}
