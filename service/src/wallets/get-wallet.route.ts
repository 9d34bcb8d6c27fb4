import { describedAddress } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { NETWORKS, type Network, NetworkInput } from '@slipway/schema/network'
import { Wallet } from '@slipway/schema/wallet'
import { z } from 'zod'
import type { ReachSlot } from '../chain/at-slot.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { MinSlot } from '../endpoint/min-slot.ts'
import { wholeNumber } from '../endpoint/whole-number.ts'
import { EXAMPLE_WALLET } from './example.ts'
import { createWallets, LIST_MAX, type WalletParts } from './read-wallet.ts'

const CURSOR_LENGTH_MAX = 1_024
const cursorOf = (list: string) =>
  z
    .string()
    .max(CURSOR_LENGTH_MAX)
    .optional()
    .meta({ description: `Continues the list of ${list} after the page whose \`next.${list}\` this is.` })

export function getWalletEndpoint({
  chains,
  snapshots,
  rewards,
  ...shared
}: Pick<WalletParts, 'database' | 'launchList' | 'agentList' | 'readPosition'> & {
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, Pick<WalletParts, 'rpc' | 'heldTokens'> & { reachSlot: ReachSlot }>>
  snapshots: { of(network: Network): WalletParts['launches'] }
  rewards: Partial<Record<Network, WalletParts['rewards']>>
}): Endpoint {
  const wallets = new Map<Network, ReturnType<typeof createWallets>>()
  for (const network of NETWORKS) {
    const chain = chains[network]
    const ofNetwork = rewards[network]
    if (!chain || !ofNetwork) continue
    const { rpc, heldTokens } = chain
    const launches: WalletParts['launches'] = {
      launch: address => snapshots.of(network).launch(address),
      launchesOfToken: mint => snapshots.of(network).launchesOfToken(mint),
    }
    wallets.set(network, createWallets({ ...shared, network, rpc, heldTokens, launches, rewards: ofNetwork }))
  }
  return defineEndpoint({
    method: 'GET',
    path: '/v1/wallets/{wallet}',
    id: 'getWallet',
    clientCall: 'wallets.get',
    tool: {
      name: 'get_wallet',
      description:
        'What a wallet has here: positions in launches, launches that pay their creator fees to it, its agents, and creator rewards. For what it can do in a launch, use get_position. `cursor` continues the positions.',
      page: {
        size: 'limit',
        from: 'positions',
        next: answer => (answer.data as Wallet).next.positions,
      },
      withoutInput: ['launches', 'agents', 'rewards'],
      withoutFields: [
        ...['actions', 'next', 'website', 'socials', 'heroUrl', 'launchPage', 'type', 'slot'],
        ...['image', 'description', 'spotlight', 'lastActivityAt'],
      ],
      rest: 'To see them, ask again with a smaller limit.',
    },
    tag: 'Wallets',
    summary: 'Get a wallet',
    description: `What a wallet has here: its positions in registered launches, the launches that pay their creator fees to it, the agents that it owns, and its creator rewards.

- Each position is what \`GET /v1/launches/{genesisAddress}/positions/{wallet}\` returns, with its launch. Positions come from the wallet's deposits and from its token accounts.
- Each list has at most ${LIST_MAX} entries. Long documents end a page of more than 50 positions or launches earlier. Positions, launches and agents are newest first. \`rewards\` has one entry per token. To continue a list, send its cursor from \`next\` as the parameter of the same name, with the same \`limit\`. The other lists then start from the beginning.
- A response may be five seconds old, but never older than \`minSlot\`. Only the index, which knows the launches that a wallet has deposits in, and what trades have paid and received, may be older. These requests have a [limit of their own](#tag/rate-limits).
- A wallet that has nothing has empty lists.`,
    params: z.object({
      wallet: describedAddress("The wallet, or an agent's wallet.", EXAMPLE_ADDRESSES.owner),
    }),
    query: z.object({
      network: NetworkInput,
      limit: wholeNumber(LIST_MAX).meta({
        type: 'integer',
        minimum: 1,
        maximum: LIST_MAX,
        default: LIST_MAX,
        description: 'Entries per list.',
      }),
      positions: cursorOf('positions'),
      launches: cursorOf('launches'),
      agents: cursorOf('agents'),
      rewards: cursorOf('rewards'),
      minSlot: MinSlot,
    }),
    faults: {
      wallet: 'INVALID_WALLET',
      network: 'INVALID_NETWORK',
      limit: 'INVALID_LIMIT',
      positions: 'INVALID_CURSOR',
      launches: 'INVALID_CURSOR',
      agents: 'INVALID_CURSOR',
      rewards: 'INVALID_CURSOR',
      minSlot: 'INVALID_MIN_SLOT',
    },
    success: {
      description: 'What the wallet has.',
      schema: z.object({ data: Wallet }),
      example: { data: EXAMPLE_WALLET },
    },
    errors: ['NETWORK_NOT_SERVED', 'INVALID_CURSOR'],
    async answer({
      params: { wallet },
      query: { network, limit = LIST_MAX, minSlot, ...starts },
      client,
      deadline,
    }) {
      const read = wallets.get(network)
      if (!read) throw new ServiceError('NETWORK_NOT_SERVED')
      await chains[network]?.reachSlot({ minSlot, client })
      const data = await read(wallet, { limit, ...starts }, { client, deadline, minSlot })
      return { kind: 'json', value: { data }, cacheControl: 'no-store' }
    },
  })
}
