import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { EXAMPLE_LAUNCH } from '@slipway/schema/example-launch'
import type { Wallet } from '@slipway/schema/wallet'

/** The example response in the API reference: an owner who has bought some of the agent's token. */
export const EXAMPLE_WALLET: Wallet = {
  positions: [
    {
      genesisAddress: EXAMPLE_ADDRESSES.launch,
      launch: EXAMPLE_LAUNCH.launch,
      baseToken: EXAMPLE_LAUNCH.baseToken,
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
      unreadParts: 0,
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
  launches: [EXAMPLE_LAUNCH],
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
