import { z } from 'zod'
import { AddressString } from './address.ts'

/** Comes with every transaction: confirm it against this blockhash, never against a newer one. */
export const BlockhashBody = z
  .object({
    blockhash: z
      .string()
      .meta({ description: 'The blockhash in the transaction, in base58. It expires after 150 blocks.' }),
    lastValidBlockHeight: z
      .number()
      .meta({ description: 'The last block height at which the transaction can be executed.' }),
  })
  .meta({
    id: 'Blockhash',
    description:
      'What the transaction was built with. Confirm it against this blockhash, never against a newer one.',
  })

/** Every successful answer of the agents' family has it. */
export const Success = z.literal(true).meta({ description: 'Always `true` in a successful response.' })

const Lamports = z.string().meta({ description: 'In lamports, as decimal digits.', pattern: '^\\d+$' })

/** What all transactions of an answer together cost. */
export const Costs = z
  .object({
    payer: z
      .object({
        fees: Lamports.meta({
          description:
            'Lamports that are spent for good: network fees with the priority fee, and what programs charge.',
        }),
        rentsMax: Lamports.meta({
          description:
            'The most lamports that rents can take: those of every account that the transactions create if it is missing. Accounts that exist count too, because their owner can close them before the transactions land. So do those that the transactions close again.',
        }),
        rentsNow: Lamports.meta({
          description:
            'Lamports that rents take as things are now. Those that come back in the same transactions are left out.',
        }),
        rentsGoTo: z.array(AddressString).meta({
          description:
            'The wallets that can close the accounts and so receive the rents. If nobody can close an account, its rent stays in it.',
        }),
      })
      .meta({ description: 'What the payer pays.' }),
  })
  .meta({
    id: 'Costs',
    description: 'What all transactions of this answer together cost, besides what they move.',
  })
export type Costs = z.infer<typeof Costs>

/** One transaction for the caller to sign. */
export const BuiltTransaction = z
  .object({
    success: Success,
    tx: z.string().meta({ description: 'The unsigned transaction in base64.' }),
    blockhash: BlockhashBody,
  })
  .meta({ id: 'BuiltTransaction' })
