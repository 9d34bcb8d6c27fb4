import { z } from 'zod'

/** Beside every built transaction: confirm against this one, never against a newer one. */
export const BlockhashBody = z
  .object({
    blockhash: z.string(),
    lastValidBlockHeight: z.number().meta({ description: 'Height after which it expires.' }),
  })
  .meta({ id: 'Blockhash' })
