import { useQuery } from '@tanstack/react-query'
import { isRaise } from '../../../lib/launches.ts'
import { useIsHydrated } from '../../../lib/now.ts'
import { positionQuery, quoteQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import { useWallet } from '../../../wallet/wallet-store.ts'
import {
  findStandstill,
  type Standstill,
  standstillOfError,
  standstillOfPosition,
} from './find-standstill.ts'
import type { TakePartProps } from './taking.ts'

/** What the form begins with. */
const SLIPPAGE_BPS = 100

/** Why the visitor can't buy or deposit anything now. Undefined if they can, or if that is not known. */
export function useStandstill(props: TakePartProps): {
  standstill: Standstill | undefined
  /** Whether the connected wallet can claim tokens. */
  canClaim: boolean
} {
  const { data, status, network, figures } = props
  const { slipway } = useSite()
  const isHydrated = useIsHydrated()
  const { genesisAddress, mechanic } = data.launch
  const connected = useWallet().account
  const wallet = connected?.networks.includes(network) ? connected.address : undefined
  const isOpen = isHydrated && status !== 'upcoming'
  const { data: position } = useQuery({
    ...positionQuery(slipway, network, genesisAddress, wallet ?? ''),
    enabled: isOpen && wallet !== undefined,
  })
  // The same question as that of the form while no amount is typed.
  const order = {
    side: 'buy' as const,
    amount: `${10n ** BigInt(figures?.quoteDecimals ?? 0) / 10n}`,
    slippageBps: SLIPPAGE_BPS,
    wallet,
  }
  const quote = useQuery({
    ...quoteQuery(slipway, network, genesisAddress, order),
    enabled: isOpen && figures !== undefined && !isRaise(mechanic),
  })
  if (wallet !== undefined && position)
    return {
      standstill: standstillOfPosition(
        position,
        isRaise(mechanic) && status !== 'graduated' ? 'deposit' : 'buy',
      ),
      canClaim: position.claimable !== '0',
    }
  return { standstill: findStandstill(props) ?? standstillOfError(quote.error), canClaim: false }
}
