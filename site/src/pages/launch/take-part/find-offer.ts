import type { LaunchPosition } from '@slipway/client'
import { REFUSALS } from '@slipway/launch-model/actions'
import { hasMissedGoal, isRaise } from '../../../lib/launches.ts'
import type { Standstill } from './find-standstill.ts'
import { type ActionName, reasonFor, type TakePartProps } from './taking.ts'

/** What the visitor can do with a launch now, with or without a wallet. */
export interface Offer {
  takesDeposits: boolean
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

export interface Circumstances extends Pick<TakePartProps, 'data' | 'status' | 'figures'> {
  hasWallet: boolean
  /** Undefined while it is not known. */
  position: LaunchPosition | undefined
  standstill: Standstill | undefined
  /** Whether it trades, or has the pool that it trades in. Undefined while that is not known. */
  hasPool: boolean | undefined
  /** Whether its terms name a pool. */
  becomesPool: boolean | undefined
  nowMs: number
}

export function findOffer(circumstances: Circumstances): Offer {
  const { data, status, figures, position, standstill, becomesPool, nowMs } = circumstances
  const { mechanic, endTime } = data.launch
  const actionOf = (name: ActionName) => position?.actions.find(({ action }) => action === name)
  const takesDeposits = isRaise(mechanic) && status !== 'graduated'
  // The chain's clock decides. The reader's own may be wrong.
  const deposit = actionOf('deposit')
  const hasEnded = deposit ? deposit.reason === REFUSALS.DEPOSITS_ENDED : Date.parse(endTime) <= nowMs
  const isClosed = takesDeposits && hasEnded
  const isMissed = hasMissedGoal(data, figures, nowMs) || (position?.refundable ?? '0') !== '0'
  const hasWaited = [reasonFor(position, 'claim'), reasonFor(position, 'buy')].some(
    reason => reason === REFUSALS.NOT_GRADUATED || reason === REFUSALS.SOLD_OUT,
  )
  const offer = {
    ...{ takesDeposits, isClosed, isMissed },
    owes:
      position !== undefined &&
      (actionOf('claim')?.available === true ||
        [position.claimable, position.refundable, position.proceeds].some(one => one !== '0')),
    waits:
      status !== 'graduated' &&
      (isRaise(mechanic) ? isClosed && !isMissed : standstill === 'SOLD_OUT') &&
      (position ? hasWaited : becomesPool === true),
    canLeave:
      (actionOf('withdraw')?.available === true && position?.deposited !== '0') ||
      (actionOf('sell')?.available === true && position?.balance !== '0'),
  }
  return { ...offer, main: mainOf(offer, circumstances) }
}

function mainOf(
  { owes, waits, isClosed, takesDeposits, canLeave }: Omit<Offer, 'main'>,
  { status, hasWallet, position, standstill, hasPool, becomesPool }: Circumstances,
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

/** Whether there is a position to speak of. */
export const holdsAnything = ({ balance, deposited, claimed, entitled }: LaunchPosition): boolean =>
  [balance, deposited, claimed, entitled].some(units => units !== '0')
