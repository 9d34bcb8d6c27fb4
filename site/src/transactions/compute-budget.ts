import { formatAmount } from '@slipway/client'
import { COMPUTE_BUDGET_PROGRAM } from '@slipway/launch-model/programs'
import type { Instruction } from './decode-transaction.ts'
import { createFieldReader } from './field-reader.ts'
import { refuse } from './unexpected.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n
/** 0.01 SOL. A higher fee is a mistake, or a gift to the producer of the block. */
const PRIORITY_FEE_MAX = 10_000_000n

const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3
/** What the network reserves for each instruction if the transaction sets no limit, and the most that it allows. */
const UNITS_PER_INSTRUCTION = 200_000
const UNITS_MAX = 1_400_000
/** Prices are in millionths of a lamport. */
const PRICE_UNITS = 1_000_000n

/** Separates a transaction's compute-budget instructions from the others. */
export function decodeComputeBudget(instructions: readonly Instruction[], signatures: number) {
  const actions = instructions.filter(({ program }) => program !== COMPUTE_BUDGET_PROGRAM)
  const settings = new Map<number, bigint>()
  for (const { program, accounts, data } of instructions) {
    if (program !== COMPUTE_BUDGET_PROGRAM) continue
    const fields = createFieldReader(data)
    const kind = fields.u8()
    if ((kind !== SET_UNIT_LIMIT && kind !== SET_UNIT_PRICE) || settings.has(kind) || accounts.length > 0)
      refuse('The transaction changes how it is executed in a way that this page doesn’t know.')
    settings.set(kind, kind === SET_UNIT_LIMIT ? BigInt(fields.u32()) : fields.u64())
    fields.end()
  }
  const priorityFee = priorityFeeOf(settings, actions.length)
  if (priorityFee > PRIORITY_FEE_MAX)
    refuse(
      `The priority fee is ${formatAmount(priorityFee, 9)} SOL. This page allows at most ${formatAmount(PRIORITY_FEE_MAX, 9)} SOL.`,
    )
  return {
    actions,
    feeLamports: BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priorityFee,
    isFeeExact: priorityFee === 0n || settings.has(SET_UNIT_LIMIT),
  }
}

/** The most that it can be: without a limit, the network may reserve less. */
function priorityFeeOf(settings: ReadonlyMap<number, bigint>, actions: number): bigint {
  const limit = settings.get(SET_UNIT_LIMIT) ?? BigInt(actions * UNITS_PER_INSTRUCTION)
  const units = limit < UNITS_MAX ? limit : BigInt(UNITS_MAX)
  return (units * (settings.get(SET_UNIT_PRICE) ?? 0n) + PRICE_UNITS - 1n) / PRICE_UNITS
}
