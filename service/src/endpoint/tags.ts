/** The groups of endpoints in the API reference, in its order. */
export const TAGS = {
  Agents:
    'An agent is a Core asset with a registered identity, a registration document and a wallet. Anyone can look agents up and fund them. Only the owner can withdraw.',
  Launches:
    'A launch sells a new token in a launch pool or on a bonding curve. Create one, register it, and it appears in the listings.',
  Tokens: 'Tokens that have a registered launch.',
  'Creator rewards':
    "Launches owe their creators a share of every trade, which each launch keeps in one or more buckets. Look up a wallet's buckets, and claim them.",
  Social: 'Proofs that a launch and an account at a social network belong together.',
  Documents: 'Documents of agents and tokens that are hosted here, under the SHA-256 of their bytes.',
  Events: 'What happens to launches and agents, as it happens.',
  Operations: 'For operators and load balancers. These requests do not count against the rate limits.',
} as const

export type Tag = keyof typeof TAGS
