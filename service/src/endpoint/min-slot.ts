import { z } from 'zod'

/** The slot of the caller's own transaction, which the answer must not be older than. */
export const MinSlot = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .optional()
  .meta({
    type: 'integer',
    minimum: 0,
    description: 'The slot in which your transaction was confirmed. The answer is as of that slot or later.',
  })
