import { COMPUTE_BUDGET_PROGRAM } from '@slipway/launch-model/programs'
import type { Instruction } from './decode-transaction.ts'
import { createFieldReader } from './field-reader.ts'
import { refuse } from './unexpected.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n

const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3

/**
 * Separates a transaction's compute-budget instructions from the others. The page never asks for a priority fee, so it
 * refuses any.
 */
export function decodeComputeBudget(instructions: readonly Instruction[], signatures: number) {
  const actions = instructions.filter(({ program }) => program !== COMPUTE_BUDGET_PROGRAM)
  const kinds = new Set<number>()
  for (const { program, accounts, data } of instructions) {
    if (program !== COMPUTE_BUDGET_PROGRAM) continue
    const fields = createFieldReader(data)
    const kind = fields.u8()
    if ((kind !== SET_UNIT_LIMIT && kind !== SET_UNIT_PRICE) || kinds.has(kind) || accounts.length > 0)
      refuse('The transaction changes how it is executed in a way that this page doesn’t know.')
    kinds.add(kind)
    if (kind === SET_UNIT_LIMIT) fields.u32()
    else if (fields.u64() > 0n) refuse('The transaction pays a priority fee, which this page didn’t ask for.')
    fields.end()
  }
  return { actions, feeLamports: BigInt(signatures) * LAMPORTS_PER_SIGNATURE }
}
