/** Where a wallet's rewards are on this site. */
export const rewardsHref = (wallet: string, network: string, networks: readonly string[]): string =>
  network === networks[0] ? `/rewards/${wallet}` : `/rewards/${wallet}?network=${network}`
