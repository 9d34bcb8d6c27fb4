import type { LaunchPosition } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { networkName } from '../../../lib/format.ts'
import { isRaise } from '../../../lib/launches.ts'
import { useIsHydrated, useNow } from '../../../lib/now.ts'
import { activityQuery, positionQuery, quoteQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import { useWallet, type WalletAccount } from '../../../wallet/wallet-store.ts'
import { useTerms } from '../terms/launch-terms.tsx'
import { findOffer, type Offer } from './find-offer.ts'
import {
  findStandstill,
  type Standstill,
  standstillOfError,
  standstillOfPosition,
} from './find-standstill.ts'
import { parseSlippage, SLIPPAGE } from './parse-slippage.ts'
import type { TakePartProps } from './taking.ts'

/** What the visitor can do, and everything that it depends on. */
export interface KnownOffer extends Offer {
  /** The connected account, if it is on this network. */
  account: WalletAccount | undefined
  /** The text of the button that asks for such an account. */
  connect: string
  /** Undefined while it is not known. */
  position: LaunchPosition | undefined
  isUnreadable: boolean
  /** Why the visitor can't buy or deposit anything now. Undefined if they can, or if that is not known. */
  standstill: Standstill | undefined
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
    enabled: isOpen && figures !== undefined && !isRaise(mechanic) && findStandstill(props) === undefined,
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
  const takesDeposits = isRaise(mechanic) && status !== 'graduated'
  const standstill = position
    ? standstillOfPosition(position, takesDeposits ? 'deposit' : 'buy')
    : (findStandstill(props) ?? standstillOfError(quote.error))
  return {
    connect: connected ? `Choose a ${networkName(network)} account` : 'Connect a wallet',
    ...{
      account,
      position,
      isUnreadable: known.isError || (mayLackPool && activity.isError),
      standstill,
      hasPool,
    },
    ...findOffer({
      ...props,
      ...{ hasWallet: account !== undefined, position, standstill, hasPool, becomesPool, nowMs },
    }),
  }
}
