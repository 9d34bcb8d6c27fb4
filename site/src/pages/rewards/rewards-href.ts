import { withNetwork } from '../../lib/networks.ts'

/**
 * Where a wallet's rewards are on this site. For the wallet of an agent, the agent says where they can be taken out.
 */
export const rewardsHref = (
  wallet: string,
  network: string,
  networks: readonly string[],
  agent?: string,
): string => {
  const href = withNetwork(`/rewards/${wallet}`, network, networks)
  return agent === undefined ? href : `${href}${href.includes('?') ? '&' : '?'}agent=${agent}`
}
