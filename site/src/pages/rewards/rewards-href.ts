import { withNetwork } from '../../lib/networks.ts'

/** Where a wallet's rewards are on this site. */
export const rewardsHref = (wallet: string, network: string, networks: readonly string[]): string =>
  withNetwork(`/rewards/${wallet}`, network, networks)
