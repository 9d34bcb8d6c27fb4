import type { Address } from '@slipway/schema/address'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  bucketAddress,
  GENESIS_FEE_WALLET,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '../../addresses/addresses.ts'
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../compile-transaction.ts'
import { u32, u64, zeros } from '../encode-fields.ts'
import { baseTokens, genesisInstruction, NONE, quoteTokens, tokenPrograms } from './genesis-instructions.ts'
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

/** The first bytes of `swapBondingCurveV2`: its number, and the direction. */
const SWAP = 65
const BUY = 0

/** `swapBondingCurveV2` for a first buy, which fails if it gets fewer than `tokensMin`. */
export function buyFirst(plan: LaunchPlan, { buyer, amount }: FirstBuy, tokensMin: bigint): Instruction {
  const bucket = bucketAddress('bondingCurveV2', plan.genesis, 0)
  const isPayer = buyer === plan.wallet
  return genesisInstruction(
    [
      readonly(plan.genesis),
      writable(bucket),
      readonly(plan.mint),
      readonly(plan.quoteMint),
      writable(baseTokens(plan, plan.genesis)),
      writable(baseTokens(plan, buyer)),
      writable(quoteTokens(plan, buyer)),
      writable(quoteTokens(plan, bucket)),
      writableSigner(plan.wallet),
      // The owners of both token accounts, if they are not the payer's.
      isPayer ? NONE : readonlySigner(buyer),
      isPayer ? NONE : readonly(buyer),
      // No backend has to sign.
      NONE,
      writable(quoteTokens(plan, GENESIS_FEE_WALLET)),
      readonly(TOKEN_PROGRAM),
      ...tokenPrograms(plan),
    ],
    Uint8Array.of(SWAP, BUY),
    zeros(6),
    u64(amount),
    u64(tokensMin),
  )
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
