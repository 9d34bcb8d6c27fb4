import { type LaunchPosition, SlipwayError } from '@slipway/client'
import { REFUSALS, type Refusal } from '@slipway/launch-model/actions'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useQuery } from '@tanstack/react-query'
import { networkName } from '../../../lib/format.ts'
import { hasMissedGoal, isRaise } from '../../../lib/launches.ts'
import { useIsHydrated, useNow } from '../../../lib/now.ts'
import { activityQuery, positionQuery, quoteQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import { useWallet, type WalletAccount } from '../../../wallet/wallet-store.ts'
import { useTerms } from '../launch-terms.tsx'
import { actionOf, parseSlippage, reasonFor, SLIPPAGE, type TakePartProps } from './context.ts'

/** What the visitor can do with a launch now, with or without a wallet. */
interface Offer {
  takesDeposits: boolean
  /** Why nobody, or not this wallet, can buy or deposit now, whatever the amount. Undefined if that is possible or not known. */
  standstill: string | undefined
  /** Whether deposits have ended, and the launch has not graduated. */
  isClosed: boolean
  /** Whether it closed below its goal. */
  isMissed: boolean
  /** Whether the launch owes the wallet something. */
  owes: boolean
  /** Whether anyone can let it graduate. */
  waits: boolean
  /** Whether the wallet can withdraw or sell while nobody can buy or deposit. */
  canLeave: boolean
  /** The first of these, which a phone offers: `position` is nothing but a look at what the wallet has. */
  main: 'claim' | 'graduate' | 'deposit' | 'trade' | 'withdraw' | 'sell' | 'connect' | 'position' | undefined
}

/** The same, and everything that it depends on. */
export interface KnownOffer extends Offer {
  /** The connected account, if it is on this network. */
  account: WalletAccount | undefined
  /** The text of the button that asks for such an account. */
  connect: string
  /** Undefined while it is not known. */
  position: LaunchPosition | undefined
  isUnreadable: boolean
  /** Whether it trades, or has the pool that it trades in. Undefined while that is not known. */
  hasPool: boolean | undefined
}

export function useOffer(props: TakePartProps): KnownOffer {
  const { data, status, network, figures } = props
  const { slipway } = useSite()
  const isHydrated = useIsHydrated()
  const nowMs = useNow('second')
  const { genesisAddress, mechanic } = data.launch
  const connected = useWallet().account
  const account = connected?.networks.includes(network) ? connected : undefined
  const isOpen = isHydrated && status !== 'upcoming'
  const known = useQuery({
    ...positionQuery(slipway, network, genesisAddress, account?.address ?? ''),
    enabled: isOpen && account !== undefined,
  })
  const position = account && known.data
  // The same question as that of the form while no amount is typed.
  const order = {
    side: 'buy' as const,
    amount: `${10n ** BigInt(figures?.quoteDecimals ?? 0) / 10n}`,
    slippageBps: parseSlippage(SLIPPAGE) ?? 0,
    wallet: account?.address,
  }
  const quote = useQuery({
    ...quoteQuery(slipway, network, genesisAddress, order),
    // What the launch itself shows is not worth a question.
    enabled: isOpen && figures !== undefined && !isRaise(mechanic) && shownStandstill(props) === undefined,
  })
  const becomesPool = useTerms(network, genesisAddress).data?.hasPool
  const mayLackPool = isRaise(mechanic) && status === 'graduated'
  const activity = useQuery({
    ...activityQuery(slipway, network, genesisAddress, 'day'),
    enabled: isHydrated && mayLackPool,
  })
  // Without a pool, the launch’s figures have ended. Its terms say the same.
  const hasEnded = activity.data?.current ? activity.data.endedAt !== null : undefined
  const isPoolKnown = hasEnded !== undefined || becomesPool !== undefined
  const hasPool = !mayLackPool || (isPoolKnown ? becomesPool !== false && hasEnded !== true : undefined)
  const hasWallet = account !== undefined
  return {
    connect: connected ? `Choose a ${networkName(network)} account` : 'Connect a wallet',
    ...{ account, position, hasPool, isUnreadable: known.isError || (mayLackPool && activity.isError) },
    ...findOffer({ ...props, hasWallet, position, refused: quote.error, hasPool, becomesPool, nowMs }),
  }
}

export interface Circumstances extends Pick<TakePartProps, 'data' | 'status' | 'figures'> {
  hasWallet: boolean
  /** Undefined while it is not known. It decides: the reader’s own clock may be wrong. */
  position: LaunchPosition | undefined
  /** The error that the service answered an order with. */
  refused: unknown
  hasPool: boolean | undefined
  /** Whether its terms name a pool. */
  becomesPool: boolean | undefined
  nowMs: number
}

export function findOffer(circumstances: Circumstances): Offer {
  const { data, status, figures, position, refused, becomesPool, nowMs } = circumstances
  const { mechanic, endTime } = data.launch
  const takesDeposits = isRaise(mechanic) && status !== 'graduated'
  const reason = reasonFor(position, takesDeposits ? 'deposit' : 'buy')
  const standstill = position
    ? standstillOf(reason)
    : (shownStandstill(circumstances) ??
      standstillOf(refused instanceof SlipwayError ? REFUSALS[refused.code as Refusal] : undefined))
  const hasEnded = actionOf(position, 'deposit')
    ? reasonFor(position, 'deposit') === REFUSALS.DEPOSITS_ENDED
    : Date.parse(endTime) <= nowMs
  const isClosed = takesDeposits && hasEnded
  const isMissed = hasMissedGoal(data, figures, nowMs) || (position?.refundable ?? '0') !== '0'
  const isSoldOut = standstill === REFUSALS.SOLD_OUT
  const canDo = (name: 'claim' | 'withdraw' | 'sell') => actionOf(position, name)?.available === true
  const offer = {
    ...{ takesDeposits, standstill, isClosed, isMissed },
    owes:
      position !== undefined &&
      (canDo('claim') ||
        [position.claimable, position.refundable, position.proceeds].some(one => one !== '0')),
    waits:
      status !== 'graduated' &&
      (isRaise(mechanic) ? isClosed && !isMissed : isSoldOut) &&
      (position
        ? isSoldOut || reasonFor(position, 'claim') === REFUSALS.NOT_GRADUATED
        : becomesPool === true),
    canLeave:
      (canDo('withdraw') && position?.deposited !== '0') || (canDo('sell') && position?.balance !== '0'),
  }
  return { ...offer, main: mainOf(offer, circumstances) }
}

function mainOf(
  { owes, waits, isClosed, takesDeposits, canLeave, standstill }: Omit<Offer, 'main'>,
  { status, hasWallet, position, hasPool, becomesPool }: Circumstances,
): Offer['main'] {
  const look = position && holdsAnything(position) ? 'position' : undefined
  if (status === 'upcoming') return undefined
  if (owes) return 'claim'
  // Without a wallet, it is more useful to see what one can claim than to pay for the pool.
  if (waits && becomesPool !== false && (hasWallet || !isClosed)) return 'graduate'
  if (isClosed || hasPool === false) return hasWallet ? look : 'connect'
  if (hasPool === undefined) return look
  if (!standstill) return takesDeposits ? 'deposit' : 'trade'
  if (canLeave) return takesDeposits ? 'withdraw' : 'sell'
  return look
}

/** Refusals that another amount may escape, or for which the page has more than a sentence. */
const NO_STANDSTILL: readonly string[] = [
  REFUSALS.POOL_TOO_SMALL,
  REFUSALS.TAKES_DEPOSITS,
  REFUSALS.DEPOSITS_ENDED,
]
const TEXTS: readonly string[] = Object.values(REFUSALS)

/** A reason with a figure in it, such as `Wait 5 min before the next deposit`, depends on the amount or passes soon. */
const standstillOf = (reason: string | undefined): string | undefined =>
  reason !== undefined && TEXTS.includes(reason) && !NO_STANDSTILL.includes(reason) ? reason : undefined

/** As the launch itself shows it, without a question to the chain. */
function shownStandstill({ data, status, figures }: Pick<TakePartProps, 'data' | 'status' | 'figures'>) {
  const { raises, isShared } = wordsOf(data.launch.mechanic)
  if (status === 'upcoming') return raises ? REFUSALS.DEPOSITS_NOT_STARTED : REFUSALS.TRADING_NOT_STARTED
  // A launch pool takes deposits beyond its goal.
  if (status === 'graduated' || figures?.progress !== 1 || isShared) return undefined
  return raises ? REFUSALS.CAP_REACHED : REFUSALS.SOLD_OUT
}

/** Whether there is a position to speak of. */
export const holdsAnything = ({ balance, deposited, claimed, entitled }: LaunchPosition): boolean =>
  [balance, deposited, claimed, entitled].some(units => units !== '0')
