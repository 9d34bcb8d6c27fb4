import type { LaunchHolders, LaunchTrades } from '@slipway/client'
import { formatShare } from '../../../lib/format.ts'
import { explainGaps } from '../../../trades/trade-words.ts'

type HolderLabel = NonNullable<LaunchHolders['holders'][number]['label']>

const LABELS: Record<HolderLabel, string> = {
  curve: 'Curve',
  pool: 'Pool',
  launch: 'Launch',
  creator: 'Creator',
  agent: 'Agent',
}

/** What is known about an owner; undefined for anyone else. */
export const describeLabel = (
  label: string | null,
  /** Whether the launch only has what people have not claimed yet. */
  isHandedOut: boolean,
): string | undefined =>
  label === null ? undefined : isHandedOut && label === 'launch' ? 'Unclaimed' : LABELS[label as HolderLabel]

const SHARE_MIN = 0.001

/** A share of the supply. Whoever holds something never holds `0%`. */
export const formatHolding = (share: number): string =>
  share > 0 && share < SHARE_MIN ? `<${formatShare(SHARE_MIN)}` : formatShare(share)

/** What to say below the list: why trades are missing, or that there are none yet. Undefined if all is there. */
export function describeList(
  list: Pick<LaunchTrades, 'trades' | 'complete' | 'reason'>,
  /** What they are called. */
  title = 'Trades',
  /** Whether anything was raised, so that there must have been some. */
  isRaised = false,
): string | undefined {
  if (!list.complete) return explainGaps(list)
  if (list.trades.length > 0) return undefined
  if (isRaised) return `The ${title.toLowerCase()} are not listed yet.`
  return `No ${title.toLowerCase()} yet. The first one appears here within seconds.`
}

/** What a list of trades shows while a pool that came from deposits has none. */
export const describeSale = ({
  trades,
  complete,
}: Pick<LaunchTrades, 'trades' | 'complete'>): string | undefined =>
  complete && trades.length > 0 && trades.every(({ kind }) => kind !== 'buy' && kind !== 'sell')
    ? 'There are no trades in the pool yet. The list shows deposits and claims.'
    : undefined
