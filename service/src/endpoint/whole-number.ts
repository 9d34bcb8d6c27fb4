import { z } from 'zod'

/** A parameter from 1 to `max`. Decimal digits only: `1e3`, `0x10` and ` 1` are refused. */
export const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine(value => value >= 1 && value <= max)
    .optional()
