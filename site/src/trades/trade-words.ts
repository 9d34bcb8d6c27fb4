import type { LaunchTrade, LaunchTrades } from '@slipway/client'

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

/** Why trades are missing; undefined if none are. */
export const explainGaps = ({
  complete,
  reason,
}: Pick<LaunchTrades, 'complete' | 'reason'>): string | undefined =>
  complete ? undefined : reason === null ? 'Some trades are missing.' : `${reason.replace(/\.$/, '')}.`
