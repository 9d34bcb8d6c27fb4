import type { WorldLaunch } from './build-world.ts'

/** What the maker of a launch says of it to have it listed. */
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
