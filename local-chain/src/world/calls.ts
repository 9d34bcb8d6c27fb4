import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import { type Call, encodeCall, READONLY_SIGNER, WRITABLE, WRITABLE_SIGNER } from '@slipway/launch-model/call'
import { claimCall, collectCall } from '@slipway/launch-model/calls/claims'
import {
  depositCall,
  triggerBehaviorsCall,
  triggerConditionsCall,
} from '@slipway/launch-model/calls/deposits'
import { graduateCall } from '@slipway/launch-model/calls/graduate'
import {
  closeTokenAccountCall,
  openTokenAccountCall,
  syncNativeCall,
  transferCall,
} from '@slipway/launch-model/calls/tokens'
import { type SwappedPool, swapInPoolCall, swapOnCurveCall } from '@slipway/launch-model/calls/trades'
import { GENESIS_FEE_WALLET, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@solana/kit'
import type { Instruction } from '../programs/stand-in.ts'
import type { RaydiumEnvironment } from './keys.ts'
import type { LaunchAddresses, SaleKind } from './launch-addresses.ts'

export type TradedLaunch = { readonly mint: Address; readonly addresses: LaunchAddresses }
export type Sale = TradedLaunch & { readonly mechanic: SaleKind }

/** An instruction of the launch model, as the ledger has it. */
export function toInstruction(call: Call): Instruction {
  const { program, accounts, data } = encodeCall(call)
  return {
    program,
    data,
    accounts: accounts.map(({ address, role }) => ({
      address,
      isSigner: role >= READONLY_SIGNER,
      isWritable: role === WRITABLE || role === WRITABLE_SIGNER,
    })),
  }
}

const quote = { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM }
const tokensOf = (mint: Address) => ({ base: { mint, program: TOKEN_PROGRAM }, quote })
export const associatedToken = (mint: Address, owner: Address): Address =>
  associatedTokenAddress(mint, owner, TOKEN_PROGRAM)
const wrapped = (owner: Address): Address => associatedToken(WRAPPED_NATIVE_MINT, owner)

/** Wraps lamports of the trader, and makes sure that the program's fee wallet has an account. */
const wrap = (trader: Address, lamports: bigint): Call[] => [
  openTokenAccountCall(trader, GENESIS_FEE_WALLET, quote),
  openTokenAccountCall(trader, trader, quote),
  transferCall(trader, wrapped(trader), lamports),
  syncNativeCall(wrapped(trader)),
]
const unwrap = (owner: Address): Call => closeTokenAccountCall(wrapped(owner), owner, owner)

const swapOnCurve = (
  trader: Address,
  { mint, addresses: { genesis, primary } }: TradedLaunch,
  side: 'buy' | 'sell',
  amountIn: bigint,
): Call =>
  swapOnCurveCall(
    tokensOf(mint),
    { genesis, curve: primary },
    { payer: trader, trader },
    { side, amountIn, amountOutMin: 0n },
  )

export const buyOnCurve = (trader: Address, launch: TradedLaunch, lamports: bigint): Call[] => [
  ...wrap(trader, lamports),
  swapOnCurve(trader, launch, 'buy', lamports),
]
export const sellOnCurve = (trader: Address, launch: TradedLaunch, amount: bigint): Call[] => [
  swapOnCurve(trader, launch, 'sell', amount),
]

export const buyInPool = (
  trader: Address,
  { mint }: TradedLaunch,
  pool: SwappedPool,
  amountIn: bigint,
): Call[] => [
  ...wrap(trader, amountIn),
  openTokenAccountCall(trader, trader, tokensOf(mint).base),
  swapInPoolCall(tokensOf(mint), pool, trader, { side: 'buy', amountIn, amountOutMin: 0n }),
]
export const sellInPool = (
  trader: Address,
  { mint }: TradedLaunch,
  pool: SwappedPool,
  amountIn: bigint,
): Call[] => [
  openTokenAccountCall(trader, trader, quote),
  swapInPoolCall(tokensOf(mint), pool, trader, { side: 'sell', amountIn, amountOutMin: 0n }),
]

/** The bucket of a launch that sells its tokens. */
export const saleOf = ({ mint, mechanic, addresses: { genesis, primary } }: Sale) => ({
  genesis,
  tokens: tokensOf(mint),
  bucket: { kind: mechanic, address: primary },
})

/** Deposits in a launch pool or a presale. */
export const depositInSale = (trader: Address, sale: Sale, lamports: bigint): Call[] => [
  ...wrap(trader, lamports),
  depositCall(saleOf(sale), { owner: trader, payer: trader }, lamports),
]
/** The same, and leaves the owner no account for wrapped SOL. */
export const depositAndUnwrap = (owner: Address, sale: Sale, lamports: bigint): Call[] => [
  ...depositInSale(owner, sale, lamports),
  unwrap(owner),
]

/** Records that the conditions of a launch's sale have come true. `references` are buckets that they refer to. */
export const triggerConditions = (payer: Address, sale: Sale, ...references: Address[]): Call[] => [
  triggerConditionsCall(saleOf(sale), references, payer),
]

/** Sends the proceeds of a sale that has ended to its AMM bucket or to its unlocked bucket. */
export const triggerBehaviors = (
  payer: Address,
  sale: Sale,
  bucket: { kind: 'raydiumCpmmV2' | 'unlockedV2'; address: Address },
): Call[] => [
  ...(bucket.kind === 'raydiumCpmmV2' ? [openTokenAccountCall(payer, sale.addresses.ammSigner, quote)] : []),
  triggerBehaviorsCall(saleOf(sale), [bucket], payer),
]

/** Creates the pool from what the AMM bucket holds. */
export const graduate = (
  payer: Address,
  { mint, addresses: { genesis, amm } }: TradedLaunch,
  { environment, creatorFee }: { environment: RaydiumEnvironment; creatorFee: boolean },
): Call[] => [
  graduateCall({
    genesis,
    bucket: amm,
    tokens: tokensOf(mint),
    environment,
    paysCreator: creatorFee,
    payer,
  }),
]

const feesOf = (
  payer: Address,
  { mint, addresses: { genesis, primary, amm } }: TradedLaunch,
  { wallet, from }: { wallet: Address; from: 'curve' | 'pool' },
) => ({
  payer,
  wallet,
  bucket: {
    ...(from === 'curve'
      ? ({ kind: 'bondingCurveV2', address: primary } as const)
      : ({ kind: 'raydiumCpmmV2', address: amm } as const)),
    genesis,
  },
  baseMint: mint,
  quoteMint: WRAPPED_NATIVE_MINT,
  quoteTokenProgram: TOKEN_PROGRAM,
})

/** Moves the fees of a pool into its bucket. */
export const collectPoolFees = (
  payer: Address,
  launch: TradedLaunch,
  { environment, creator }: { environment: RaydiumEnvironment; creator: Address },
): Call[] => [
  collectCall(feesOf(payer, launch, { wallet: creator, from: 'pool' }), {
    environment,
    baseTokenProgram: TOKEN_PROGRAM,
  }),
]

/**
 * Claims the fees of the curve or of its pool, and unwraps them: afterwards the creator has lamports and no token
 * account.
 */
export const claimFees = (
  payer: Address,
  launch: TradedLaunch,
  { creator, from }: { creator: Address; from: 'curve' | 'pool' },
): Call[] => [claimCall(feesOf(payer, launch, { wallet: creator, from })), unwrap(creator)]
