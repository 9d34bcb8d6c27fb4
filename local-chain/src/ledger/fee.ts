import type { Address } from '@solana/kit'
import { encodeLegacyMessage } from './compile-message.ts'
import { type ParsedMessage, unsigned, type WireTransaction } from './parse-transaction.ts'
import type { TransactionError } from './transaction-error.ts'
import type { Vm } from './vm.ts'

export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
export const REQUEST_HEAP = 1
export const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3
export const SET_LOADED_DATA_LIMIT = 4

const LAMPORTS_PER_SIGNATURE = 5_000n
const UNITS_PER_INSTRUCTION = 200_000n
const UNITS_PER_BUILT_IN = 3_000n
export const UNITS_MAX = 1_400_000n
const SECP256K1 = 'KeccakSecp256k11111111111111111111111111111'
const ED25519 = 'Ed25519SigVerify111111111111111111111111111'
/** Programs that verify signatures; each costs as much as one of the transaction's own. */
const SIGNATURE_CHECKERS = [SECP256K1, ED25519, 'Secp256r1SigVerify1111111111111111111111111']
/** Programs that count as fewer compute units if the caller sets no limit. */
const BUILT_INS = [
  SECP256K1,
  ED25519,
  COMPUTE_BUDGET,
  '11111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
]

type Payable = Pick<ParsedMessage, 'signers' | 'staticKeys' | 'instructions' | 'config'>

/** The fee that will be charged: for signatures, plus the caller's price for compute units or, in version 1, their fee. */
export function feeOf(message: Payable): bigint {
  const { signers, instructions } = message
  const checked = instructions
    .filter(ix => SIGNATURE_CHECKERS.includes(programOf(message, ix)))
    .reduce((sum, { data }) => sum + (data[0] ?? 0), 0)
  const forSignatures = BigInt(signers + checked) * LAMPORTS_PER_SIGNATURE
  if (message.config) return forSignatures + (message.config.priorityFee ?? 0n)
  let price = 0n
  for (const { data } of budgetOf(message)) {
    if (data[0] === SET_UNIT_PRICE && data.length >= 9) price = viewOf(data).getBigUint64(1, true)
  }
  const units = unitLimitOf(message)
  return forSignatures + (price * units + 999_999n) / 1_000_000n
}

/** The compute units that a caller pays for, used or not. */
function unitLimitOf(message: Payable): bigint {
  let limit: bigint | undefined
  for (const { data } of budgetOf(message)) {
    if (data[0] === SET_UNIT_LIMIT && data.length >= 5) limit = BigInt(viewOf(data).getUint32(1, true))
  }
  const wanted =
    limit ??
    message.instructions.reduce(
      (sum, ix) =>
        sum + (BUILT_INS.includes(programOf(message, ix)) ? UNITS_PER_BUILT_IN : UNITS_PER_INSTRUCTION),
      0n,
    )
  return wanted < UNITS_MAX ? wanted : UNITS_MAX
}

export const encodeUnitLimit = (units: bigint): Uint8Array => encodeBudget(SET_UNIT_LIMIT, Number(units))

/** A compute-budget instruction that sets a value of four bytes. */
export function encodeBudget(kind: number, value: number): Uint8Array {
  const data = new Uint8Array(5)
  data[0] = kind
  viewOf(data).setUint32(1, value, true)
  return data
}

export const budgetOf = (message: Payable) =>
  message.instructions.filter(ix => programOf(message, ix) === COMPUTE_BUDGET)

const programOf = ({ staticKeys }: Payable, { programIndex }: { programIndex: number }): string =>
  staticKeys[programIndex] ?? ''
const viewOf = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.length)

/**
 * Takes the priority fee of a version 1 transaction, which the VM doesn't know, from the payer. Refuses if the whole fee
 * can't be paid.
 */
export function takePriorityFee(vm: Vm, tx: WireTransaction): TransactionError | null {
  const payer = tx.staticKeys[0] as Address
  const account = vm.read(payer)
  const fee = tx.config?.priorityFee ?? 0n
  // The VM itself refuses a payer that doesn't exist.
  if (fee === 0n || !account) return null
  const rest = account.lamports - feeOf(tx)
  const minimum = vm.rentExemptMinimum(account.data.length)
  if (rest < 0n) return 'InsufficientFundsForFee'
  if (rest > 0n && rest < minimum && account.lamports >= minimum)
    return { InsufficientFundsForRent: { account_index: 0 } }
  vm.write(payer, { ...account, lamports: account.lamports - fee })
  return null
}

/** Lets the VM charge the fee: runs a transaction with the same payer, signers and compute budget and nothing else. */
export function chargeFee(vm: Vm, tx: WireTransaction): TransactionError | null {
  const unpaid = takePriorityFee(vm, tx)
  if (unpaid) return unpaid
  // In version 1, compute-budget instructions do nothing.
  const budget = tx.config ? [] : budgetOf(tx).map(ix => ix.data)
  const keep = tx.staticKeys.slice(0, tx.signers)
  if (budget.length > 0) {
    keep.push(COMPUTE_BUDGET as Address)
    // The default limit depends on the instructions, which are left out here, so it is set explicitly.
    if (!budget.some(data => data[0] === SET_UNIT_LIMIT)) budget.push(encodeUnitLimit(unitLimitOf(tx)))
  }
  const message = encodeLegacyMessage({
    header: [tx.signers, tx.readonlySigners, keep.length - tx.signers],
    keys: keep,
    blockhash: tx.blockhash,
    instructions: budget.map(data => ({ programIndex: keep.length - 1, accounts: [], data })),
  })
  return vm.send({ message, signatures: unsigned(tx.signers), version: 'legacy' }, keep).err
}
