import type { Address } from '@slipway/schema/address'
import { decode, u64 } from '../bytes/codec.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts'
import type { LandedCall } from './transaction.ts'

interface Transfer {
  from: Address | undefined
  to: Address | undefined
  amount: bigint
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
export function createTransfers(calls: readonly LandedCall[], at: number): Transfers {
  const height = calls[at]?.height ?? 0
  const after = calls.slice(at + 1)
  const end = after.findIndex(call => call.height <= height)
  const below = end === -1 ? after : after.slice(0, end)
  const children = below.filter(call => call.height === height + 1)
  const transfers = children.flatMap(call => transferIn(call) ?? [])
  return {
    children,
    sum(between) {
      const names = (['from', 'to'] as const).filter(name => name in between)
      return transfers
        .filter(transfer =>
          names.every(name => between[name] !== undefined && transfer[name] === between[name]),
        )
        .reduce((total, { amount }) => total + amount, 0n)
    },
  }
}

/** `Transfer` and `TransferChecked` of either token program. The latter names the mint in between. */
const TRANSFER = 3
const TRANSFER_CHECKED = 12
const AMOUNT_END = 9

function transferIn({ program, accounts, data }: LandedCall): Transfer | undefined {
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return undefined
  if (data.length < AMOUNT_END || (data[0] !== TRANSFER && data[0] !== TRANSFER_CHECKED)) return undefined
  return {
    from: accounts[0],
    to: accounts[data[0] === TRANSFER ? 1 : 2],
    amount: decode(u64, data.subarray(1, AMOUNT_END)),
  }
}
