import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import type { Wallet } from '@slipway/schema/wallet'

const LAUNCH: Wallet['launches'][number] = {
  launch: {
    launchPage: `https://slipway.example/launches/${EXAMPLE_ADDRESSES.launch}`,
    mechanic: 'bondingCurveV2',
    genesisAddress: EXAMPLE_ADDRESSES.launch,
    spotlight: true,
    startTime: '2026-03-02T15:00:00.000Z',
    endTime: '9999-12-31T23:59:59.999Z',
    status: 'live',
    heroUrl: 'heroes/patchbot.webp',
    graduatedAt: null,
    lastActivityAt: '2026-03-03T09:41:27.000Z',
    type: 'launchpool',
  },
  baseToken: {
    address: EXAMPLE_ADDRESSES.token,
    name: 'Patchbot',
    symbol: 'PATCH',
    image: 'https://images.example/patchbot.png',
    description: 'Fixes the build while you sleep, apologises in the commit message.',
  },
  website: 'https://patchbot.example',
  socials: { x: 'https://x.com/patchbot' },
}

/** The example response in the API reference: an owner who has bought some of the agent's token. */
export const EXAMPLE_WALLET: Wallet = {
  positions: [
    {
      genesisAddress: EXAMPLE_ADDRESSES.launch,
      launch: LAUNCH.launch,
      baseToken: LAUNCH.baseToken,
      wallet: EXAMPLE_ADDRESSES.owner,
      deposited: '0',
      share: 0,
      entitled: '0',
      claimable: '0',
      claimed: '0',
      refundable: '0',
      proceeds: '0',
      balance: '7970233438210',
      paid: null,
      received: null,
      nextClaim: null,
      actions: [
        { action: 'buy', available: true, reason: null },
        { action: 'sell', available: true, reason: null },
        { action: 'deposit', available: false, reason: 'This launch trades; use swap' },
        { action: 'withdraw', available: false, reason: 'This launch trades; use swap' },
        { action: 'claim', available: false, reason: 'Nothing to claim' },
      ],
      quoteMint: WRAPPED_NATIVE_MINT,
      quoteDecimals: 9,
      baseDecimals: 6,
      slot: 312_448_620,
    },
  ],
  launches: [LAUNCH],
  agents: [
    {
      address: EXAMPLE_ADDRESSES.agent,
      name: 'Patchbot',
      image: 'https://images.example/patchbot.png',
      wallet: EXAMPLE_ADDRESSES.agentWallet,
      lamports: '2500000000',
    },
  ],
  rewards: [{ quoteMint: WRAPPED_NATIVE_MINT, claimable: '1175000000', buckets: 2 }],
  truncated: false,
  unavailable: [],
  next: { positions: null, launches: null, agents: null, rewards: null },
}
