import { z } from 'zod'

/** Comes with every transaction: confirm it against this blockhash, never against a newer one. */
export const BlockhashBody = z
  .object({
    blockhash: z.string(),
    lastValidBlockHeight: z.number().meta({ description: 'Block height after which the blockhash expires.' }),
  })
  .meta({ id: 'Blockhash' })
