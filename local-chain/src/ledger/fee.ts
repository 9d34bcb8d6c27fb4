import type { WireTransaction } from './parse-transaction.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n
const UNITS_PER_INSTRUCTION = 200_000n
const UNITS_MAX = 1_400_000n
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'

type Message = Pick<WireTransaction, 'signers' | 'staticKeys' | 'instructions'>

/** What the virtual machine will charge: the signatures, and the price the caller offers for compute units. */
export function feeOf({ signers, staticKeys, instructions }: Message): bigint {
  let price = 0n
  let limit: bigint | undefined
  let others = 0n
  for (const { programIndex, data } of instructions) {
    if (staticKeys[programIndex] !== COMPUTE_BUDGET) {
      others++
      continue
    }
    const view = new DataView(data.buffer, data.byteOffset, data.length)
    if (data[0] === 2 && data.length >= 5) limit = BigInt(view.getUint32(1, true))
    if (data[0] === 3 && data.length >= 9) price = view.getBigUint64(1, true)
  }
  const wanted = limit ?? others * UNITS_PER_INSTRUCTION
  const units = wanted < UNITS_MAX ? wanted : UNITS_MAX
  return BigInt(signers) * LAMPORTS_PER_SIGNATURE + (price * units + 999_999n) / 1_000_000n
}
