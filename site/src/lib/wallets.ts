import type { LaunchData, Wallet, WalletAgent, WalletPosition, WalletRewards } from '@slipway/client'
import { withNetwork } from './networks.ts'

/** Where a wallet is on this site. */
export const walletHref = (wallet: string, network: string, networks: readonly string[]): string =>
  withNetwork(`/wallets/${wallet}`, network, networks)

/** What pages show of a wallet. */
export interface Holdings {
  positions: Position[]
  launches: CreatedLaunch[]
  agents: WalletAgent[]
  rewards: WalletRewards[]
  /** Whether tokens that it holds may be missing. */
  truncated: boolean
  /** How many launches could not be read, though the wallet may have something in them. */
  unread: number
  /** Where each list continues; null at its end. */
  next: Record<HoldingList, string | null>
}

/** The lists that come in pages. */
export type HoldingList = 'positions' | 'launches' | 'agents'
type CreatedLaunch = Pick<LaunchData, 'launch' | 'baseToken'>
export interface Position extends HeldPosition {
  /** What the wallet can do now. */
  actions: string[]
  /** Why nothing can be sold now, in the service's words. */
  sellRefusal: string | null
}
type HeldPosition = Pick<
  WalletPosition,
  | 'genesisAddress'
  | 'launch'
  | 'baseToken'
  | 'deposited'
  | 'share'
  | 'claimable'
  | 'claimed'
  | 'refundable'
  | 'proceeds'
  | 'balance'
  | 'nextClaim'
  | 'quoteMint'
  | 'quoteDecimals'
  | 'baseDecimals'
>

export const toHoldings = ({
  positions,
  launches,
  agents,
  rewards,
  truncated,
  unavailable,
  next,
}: Wallet): Holdings => ({
  positions: positions.map(toPosition),
  launches: launches.map(toCreated),
  ...{ agents, rewards, truncated, next },
  unread: unavailable.length,
})

/** A description may be long, and no list shows it. */
const toCreated = ({ launch, baseToken }: CreatedLaunch): CreatedLaunch => ({
  launch,
  baseToken: { ...baseToken, description: '' },
})

function toPosition({ actions, ...given }: WalletPosition): Position {
  const { deposited, share, claimable, claimed, refundable, proceeds, balance, nextClaim } = given
  const { genesisAddress, quoteMint, quoteDecimals, baseDecimals } = given
  return {
    genesisAddress,
    ...toCreated(given),
    actions: actions.filter(({ available }) => available).map(({ action }) => action),
    sellRefusal: actions.find(({ action }) => action === 'sell')?.reason ?? null,
    ...{ deposited, share, claimable, claimed, refundable, proceeds, balance, nextClaim },
    ...{ quoteMint, quoteDecimals, baseDecimals },
  }
}
