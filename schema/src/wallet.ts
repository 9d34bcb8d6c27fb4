import { z } from 'zod'
import { AddressString } from './address.ts'
import { BaseToken, Launch, LaunchData } from './launch.ts'
import { amountOf, UNTRUSTED } from './marks.ts'
import { LaunchPosition } from './position.ts'

const Units = z.string().meta({ pattern: '^\\d+$' })

const WalletPosition = z
  .object({
    genesisAddress: AddressString.meta({ description: "The launch's address." }),
    launch: Launch,
    baseToken: BaseToken.meta({ description: 'The token that is launched.' }),
    ...LaunchPosition.shape,
  })
  .meta({ id: 'WalletPosition', description: 'What a wallet has in a launch, with the launch.' })
export type WalletPosition = z.infer<typeof WalletPosition>

const WalletAgent = z
  .object({
    address: AddressString.meta({ description: "The agent's address." }),
    name: z.string().meta({ ...UNTRUSTED, description: "The agent's name." }),
    image: z
      .string()
      .nullable()
      .meta({ ...UNTRUSTED, description: 'URI of a picture; null if there is none.' }),
    wallet: AddressString.meta({ description: "The agent's own wallet." }),
    lamports: Units.meta({
      description: "Native currency in the agent's wallet, in the smallest unit, as decimal digits.",
    }),
  })
  .meta({ id: 'WalletAgent' })
export type WalletAgent = z.infer<typeof WalletAgent>

const WalletRewards = z
  .object({
    quoteMint: AddressString.meta({ description: 'The token that the creator is paid in.' }),
    claimable: Units.meta({
      ...amountOf('quote'),
      description: 'What a claim would pay now, in the smallest unit, as decimal digits.',
    }),
    buckets: z.int().min(0).meta({ description: 'How many buckets pay the wallet in this token.' }),
  })
  .meta({ id: 'WalletRewards' })

const Next = z.string().nullable()

export const Wallet = z
  .object({
    positions: z.array(WalletPosition).meta({
      description:
        'What the wallet has in registered launches, by its deposits and token accounts. The launch that was registered last comes first. A deposit that has been withdrawn or refunded is left out.',
    }),
    launches: z.array(LaunchData).meta({
      description: 'Launches that pay their creator fees to the wallet, the last registered first.',
    }),
    agents: z.array(WalletAgent).meta({ description: 'Agents that the wallet owns, the newest first.' }),
    rewards: z.array(WalletRewards).meta({ description: 'Creator rewards, per quote token.' }),
    truncated: z.boolean().meta({
      description:
        'Whether the wallet has more than the 1,000 token accounts that were looked at, or more than an RPC node returns. Positions that are only token balances may then be missing.',
    }),
    unavailable: z.array(AddressString).meta({
      description:
        'Launches of this page of positions whose accounts the chain did not return. The wallet may have something in them.',
    }),
    next: z
      .object({
        positions: Next.meta({ description: 'The `positions` parameter of the next page.' }),
        launches: Next.meta({ description: 'The `launches` parameter of the next page.' }),
        agents: Next.meta({ description: 'The `agents` parameter of the next page.' }),
        rewards: Next.meta({ description: 'The `rewards` parameter of the next page.' }),
      })
      .meta({ description: 'Where each list continues; null at its end.' }),
  })
  .meta({ id: 'Wallet', description: 'What a wallet has here.' })
export type Wallet = z.infer<typeof Wallet>
