import { z } from 'zod'

/** Comes with every transaction: confirm it against this blockhash, never against a newer one. */
export const BlockhashBody = z
  .object({
    blockhash: z
      .string()
      .meta({ description: 'The blockhash in the transaction, in base58. It expires after about a minute.' }),
    lastValidBlockHeight: z.number().meta({ description: 'Block height after which the blockhash expires.' }),
  })
  .meta({
    id: 'Blockhash',
    description:
      'What the transaction was built with. Confirm it against this blockhash, never against a newer one.',
  })

/** Every successful answer of the agents' family has it. */
export const Success = z.literal(true).meta({ description: 'Always `true` in a successful response.' })

/** One transaction for the caller to sign. */
export const BuiltTransaction = z
  .object({
    success: Success,
    tx: z.string().meta({ description: 'The unsigned transaction in base64.' }),
    blockhash: BlockhashBody,
  })
  .meta({ id: 'BuiltTransaction' })
