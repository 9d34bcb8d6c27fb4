import { z } from 'zod'
import { AddressString } from './address.ts'
import { amountOf, UNTRUSTED } from './marks.ts'
import { BuiltTransaction, Success } from './transaction.ts'

const Units = z.string().meta({ pattern: '^\\d+$' })
/** The most that a mint can have. */
const DECIMALS_MAX = 255

const RESTRICTIONS = ['frozen', 'non-transferable', 'paused', 'hook', 'fee'] as const

const WalletToken = z
  .object({
    mint: AddressString.meta({
      description: "The token's mint. It identifies the token; the name does not.",
    }),
    amount: Units.meta({
      ...amountOf('other'),
      description: 'The sum of all token accounts of this mint, in the smallest unit, as decimal digits.',
    }),
    decimals: z.int().min(0).max(DECIMALS_MAX).meta({ description: 'Decimals of the token.' }),
    symbol: z.string().meta({
      ...UNTRUSTED,
      description:
        'The symbol in the metadata of the mint, at most 16 characters; may be empty. Issuers can choose any symbol.',
    }),
    name: z.string().meta({
      ...UNTRUSTED,
      description:
        'The name in the metadata of the mint, at most 64 characters; may be empty. Issuers can choose any name.',
    }),
    known: z.boolean().meta({
      description:
        "Whether this is wrapped SOL, the agent's own token, or the token of a launch that is registered here. Anyone can send an agent any other token.",
    }),
    restriction: z.enum(RESTRICTIONS).nullable().meta({
      description:
        'What restricts transfers of this token; null if nothing does. With `fee`, less arrives than is sent. With the others, a transfer fails here: `frozen` (the token account is frozen), `non-transferable` (the token can never be transferred), `paused` (all transfers are paused) or `hook` (each transfer calls another program).',
    }),
  })
  .meta({ id: 'WalletToken' })

export const AgentWallet = z
  .object({
    address: AddressString.meta({ description: "The wallet's address, derived from the agent's." }),
    lamports: Units.meta({ description: 'Native currency, in the smallest unit.' }),
    tokens: z.array(WalletToken).meta({
      description:
        'Tokens of both token programs, without empty accounts: wrapped SOL first, then the known ones, then the others by mint.',
    }),
    truncated: z.boolean().meta({
      description: 'Whether there are more tokens than the 100 that are listed, or than an RPC node returns.',
    }),
    slot: z.int().meta({ description: 'The slot at which the chain was read.' }),
  })
  .meta({ id: 'AgentWallet' })
export type AgentWallet = z.infer<typeof AgentWallet>
export type WalletToken = AgentWallet['tokens'][number]

export const AgentWalletBody = z.object({ success: Success, data: AgentWallet })

/** A transfer into or out of an agent's wallet. */
export const BuiltTransfer = BuiltTransaction.extend({
  amount: Units.optional().meta({
    ...amountOf('other'),
    description: 'With `mint` or `"all"`: what the transaction moves, in the smallest unit.',
  }),
  decimals: z.int().optional().meta({ description: 'Decimals of `amount`.' }),
}).meta({ id: 'BuiltTransfer' })
