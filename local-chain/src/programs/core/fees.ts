import type { Invocation } from '../stand-in.ts'

/** The program's own fees, which stay in the asset's account: made of rent, as the real program makes them. */
export const createFee = (ctx: Invocation): bigint => ctx.rentExemptMinimum(87) + 3_600n
export const executeFee = (ctx: Invocation): bigint => ctx.rentExemptMinimum(7) - ctx.rentExemptMinimum(0)
