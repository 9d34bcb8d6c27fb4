import type { WorldLaunch } from './world-launch.ts'

/** The request body that registers a launch with the service. */
export const registrationOf = <Network extends string>(
  { genesisAddress, image, heroUrl, externalLinks, agent, entry }: WorldLaunch,
  network: Network,
) => ({
  genesisAccount: genesisAddress,
  network,
  launch: {
    name: entry.name,
    symbol: entry.symbol,
    image,
    description: entry.description,
    type: entry.mechanic,
    externalLinks,
    heroUrl,
  },
  ...(agent && { agent: { mint: agent } }),
})
