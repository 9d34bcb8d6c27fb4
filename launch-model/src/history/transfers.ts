import type { Address } from '@slipway/schema/address'
import { decode, u64 } from '../bytes/codec.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts'
import type { LandedCall, LandedTransaction } from './transaction.ts'

interface Transfer {
  from: Address | undefined
  to: Address | undefined
  /** Undefined for all that the account holds. */
  amount: bigint | undefined
}

/** The token transfers that a call has made itself. */
export interface Transfers {
  /**
   * The sum of those between these accounts. An omitted account matches any; an account that is undefined matches
   * none.
   */
  sum(between: { from?: Address | undefined; to?: Address | undefined }): bigint
  /** The calls that it made directly. */
  children: readonly LandedCall[]
}

/** Transfers further down, such as those of a program that a token calls, are not the call's own. */
export function createTransfers({ calls, held }: LandedTransaction, at: number): Transfers {
  const height = calls[at]?.height ?? 0
  const after = calls.slice(at + 1)
  const end = after.findIndex(call => call.height <= height)
  const below = end === -1 ? after : after.slice(0, end)
  const children = below.filter(call => call.height === height + 1)
  const found = children.map(transfersIn)
  const isOpen = found.some(transfers => transfers.some(({ amount }) => amount === undefined))
  const transfers = isOpen ? settle(calls, held, new Set(children)) : found.flat()
  return {
    children,
    sum(between) {
      const names = (['from', 'to'] as const).filter(name => name in between)
      return transfers
        .filter(transfer =>
          names.every(name => between[name] !== undefined && transfer[name] === between[name]),
        )
        .reduce((total, { amount = 0n }) => total + amount, 0n)
    },
  }
}

/** The transfers of some calls, with the amounts of those that move all that an account holds. */
function settle(
  calls: readonly LandedCall[],
  held: ReadonlyMap<Address, bigint>,
  wanted: ReadonlySet<LandedCall>,
): Transfer[] {
  const balances = new Map<Address | undefined, bigint>(held)
  const holdingOf = (address: Address | undefined) => balances.get(address) ?? 0n
  return calls.flatMap(call => {
    const transfers = transfersIn(call).map(({ from, to, amount = holdingOf(from) }) => {
      balances.set(from, holdingOf(from) - amount)
      balances.set(to, holdingOf(to) + amount)
      return { from, to, amount }
    })
    return wanted.has(call) ? transfers : []
  })
}

type TokenInstruction = Pick<LandedCall, 'accounts' | 'data'>

function transfersIn(call: LandedCall): Transfer[] {
  if (call.program !== TOKEN_PROGRAM && call.program !== TOKEN_2022_PROGRAM) return []
  const { accounts, data } = call
  const all = data[0] === BATCH ? splitBatch({ accounts, data }) : [{ accounts, data }]
  return all.flatMap(instruction => transferIn(instruction) ?? [])
}

const BATCH = 255
/** The number of accounts and the length of the data. */
const BATCH_HEADER = 2

/** The instructions of a batch; none if the token program would refuse it. */
function splitBatch({ accounts, data }: TokenInstruction): TokenInstruction[] {
  const instructions: TokenInstruction[] = []
  let [used, at] = [0, 1]
  while (at < data.length) {
    const [count = 0, length = 0] = data.subarray(at, at + BATCH_HEADER)
    const start = at + BATCH_HEADER
    const instruction = {
      accounts: accounts.slice(used, used + count),
      data: data.subarray(start, start + length),
    }
    used += count
    at = start + length
    const isCut = length === 0 || at > data.length || used > accounts.length
    if (isCut || instruction.data[0] === BATCH) return []
    instructions.push(instruction)
  }
  return instructions
}

/** `Transfer`, `TransferChecked` and `UnwrapLamports` of either token program. */
const TRANSFER = 3
/** It names the mint in between. */
const TRANSFER_CHECKED = 12
/** Moves lamports of a wrapped account to any account. Its amount is optional. */
const UNWRAP = 45
const U64_BYTES = 8

function transferIn({ accounts, data }: TokenInstruction): Transfer | undefined {
  const [from, second, third] = accounts
  const amountAt = (at: number) =>
    data.length < at + U64_BYTES ? undefined : decode(u64, data.subarray(at, at + U64_BYTES))
  if (data[0] === UNWRAP) return { from, to: second, amount: data[1] === 1 ? amountAt(2) : undefined }
  if (data[0] !== TRANSFER && data[0] !== TRANSFER_CHECKED) return undefined
  const amount = amountAt(1)
  return amount === undefined ? undefined : { from, to: data[0] === TRANSFER ? second : third, amount }
}
