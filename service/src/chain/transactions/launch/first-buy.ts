import type { Address } from '@slipway/schema/address'
import { associatedTokenAddress } from '../../addresses/addresses.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '../../addresses/programs.ts'
import { type Instruction, readonly, writable, writableSigner } from '../compile-transaction.ts'
import { u32, u64 } from '../encode-fields.ts'
import { authorityOf, type BondingCurvePlan, type FirstBuy, type LaunchPlan } from './launch-plan.ts'

/**
 * Opens the buyer's token accounts, and wraps the SOL that the first buy costs. The buyer provides it, or the
 * owner if the buyer is the agent's wallet. If the quote token is not wrapped SOL, the buyer must already
 * hold enough of it.
 */
export function prepareFirstBuy(plan: LaunchPlan, { buyer, amount }: FirstBuy): Instruction[] {
  const { wallet, mint, quoteMint, quoteTokenProgram } = plan
  const open = [
    createTokenAccount(wallet, buyer, quoteMint, quoteTokenProgram),
    createTokenAccount(wallet, buyer, mint, TOKEN_PROGRAM),
  ]
  if (quoteMint !== WRAPPED_NATIVE_MINT) return open
  const wrapped = associatedTokenAddress(quoteMint, buyer, quoteTokenProgram)
  const funder = buyer === authorityOf(plan) ? wallet : buyer
  return [...open, transfer(funder, wrapped, amount), syncNative(wrapped)]
}

/**
 * How many tokens the first buy gets. It pays no fees, and no other trade can come before it. The program rounds up what
 * stays in the curve, so that the product of the reserves never falls.
 */
export function firstBuyTokens(
  { allocation, virtualQuote, virtualBase }: BondingCurvePlan,
  { amount }: FirstBuy,
): bigint {
  const base = virtualBase + allocation
  const quote = virtualQuote + amount
  const bought = base - (virtualQuote * base + quote - 1n) / quote
  return bought < allocation ? bought : allocation
}

/** `CreateIdempotent` of the associated token program: creates the account unless it exists. */
const createTokenAccount = (
  payer: Address,
  owner: Address,
  mint: Address,
  tokenProgram: Address,
): Instruction => ({
  program: ASSOCIATED_TOKEN_PROGRAM,
  accounts: [
    writableSigner(payer),
    writable(associatedTokenAddress(mint, owner, tokenProgram)),
    readonly(owner),
    readonly(mint),
    readonly(SYSTEM_PROGRAM),
    readonly(tokenProgram),
  ],
  data: Uint8Array.of(1),
})

const TRANSFER = 2

const transfer = (from: Address, to: Address, lamports: bigint): Instruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [writableSigner(from), writable(to)],
  data: Buffer.concat([u32(TRANSFER), u64(lamports)]),
})

const SYNC_NATIVE = 17

/** Counts the lamports that have arrived in the account as wrapped tokens. */
const syncNative = (account: Address): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [writable(account)],
  data: Uint8Array.of(SYNC_NATIVE),
})
