import { formatAmount } from '@slipway/client'
import { SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Instruction } from './decode-transaction.ts'
import { assertProgram, refuseInstruction } from './expect-instruction.ts'
import { createFieldReader } from './field-reader.ts'

const TRANSFER = 2

/** The amount of the system program's `Transfer`. Refuses any other instruction. */
export function decodeTransfer(instruction: Instruction): bigint {
  assertProgram(instruction, SYSTEM_PROGRAM)
  const fields = createFieldReader(instruction.data)
  if (fields.u32() !== TRANSFER) refuseInstruction()
  const lamports = fields.u64()
  fields.end()
  return lamports
}

/** An exact amount: what is signed must not be rounded. */
export const formatSol = (lamports: bigint): string => `${formatAmount(lamports, 9)} SOL`
