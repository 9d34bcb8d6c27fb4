import {
  claimBondingCurveCreatorFeeV2,
  claimRaydiumCreatorFeeV2,
  collectRaydiumCpmmFeesWithCreatorFeeV2,
  depositLaunchPoolV2,
  depositPresaleV2,
  deriveRaydiumPDAsV2,
  graduateToRaydiumCpmmV2,
  SwapDirection,
  swapBondingCurveV2,
  triggerBehaviorsV2,
  triggerConditionsV2,
} from '@metaplex-foundation/genesis'
import { createNoopSigner, type TransactionBuilder } from '@metaplex-foundation/umi'
import { encodeCall, READONLY_SIGNER } from '@slipway/launch-model/call'
import { type SwappedPool, swapInPoolCall } from '@slipway/launch-model/calls/trades'
import type { Address } from '@solana/kit'
import { TOKEN_PROGRAM } from '../ledger/account.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import { asKey, FEE_WALLET } from '../programs/genesis/checks.ts'
import type { Instruction } from '../programs/stand-in.ts'
import { umi } from '../programs/umi-context.ts'
import type { RaydiumEnvironment } from './keys.ts'
import { WRAPPED_SOL } from './launch-accounts.ts'
import type { LaunchAddresses, Mechanic } from './launch-addresses.ts'
import { associatedToken } from './token-accounts.ts'
import { closeTokenAccount, createAssociatedAccount, syncNative } from './token-instructions.ts'

export type TradedLaunch = { readonly mint: Address; readonly addresses: LaunchAddresses }

export const toInstructions = (builder: TransactionBuilder): Instruction[] =>
  builder.getInstructions().map(({ programId, keys, data }) => ({
    program: programId as string as Address,
    accounts: keys.map(({ pubkey, ...flags }) => ({ address: pubkey as string as Address, ...flags })),
    data,
  }))

export const signerAt = (address: Address) => createNoopSigner(asKey(address))

const accountsOf = ({ mint, addresses }: TradedLaunch) => ({
  genesisAccount: asKey(addresses.genesis),
  baseMint: asKey(mint),
})

const swap = (trader: Address, launch: TradedLaunch, swapDirection: SwapDirection, amount: bigint) =>
  toInstructions(
    swapBondingCurveV2(umi, {
      ...accountsOf(launch),
      bucket: asKey(launch.addresses.primary),
      baseTokenAccount: asKey(associatedToken(launch.mint, trader)),
      quoteTokenAccount: asKey(associatedToken(WRAPPED_SOL, trader)),
      payer: signerAt(trader),
      swapDirection,
      amount,
      minAmountOutScaled: 0n,
    }),
  )

export const buyOnCurve = (trader: Address, launch: TradedLaunch, lamports: bigint): Instruction[] => [
  ...wrap(trader, lamports),
  ...swap(trader, launch, SwapDirection.Buy, lamports),
]

export const sellOnCurve = (trader: Address, launch: TradedLaunch, amount: bigint): Instruction[] =>
  swap(trader, launch, SwapDirection.Sell, amount)

/** Deposits in a launch pool or a presale. The deposit belongs to the trader, or to `owner`, who then signs too. */
export const depositInSale = (
  trader: Address,
  launch: TradedLaunch & { readonly mechanic: Mechanic },
  lamports: bigint,
): Instruction[] => [
  ...wrap(trader, lamports),
  ...toInstructions(
    (launch.mechanic === 'presaleV2' ? depositPresaleV2 : depositLaunchPoolV2)(umi, {
      ...accountsOf(launch),
      bucket: asKey(launch.addresses.primary),
      rentPayer: signerAt(trader),
      depositor: signerAt(trader),
      amountQuoteToken: lamports,
    }),
  ),
]

/** Records that the conditions of a launch's sale have come true. */
export const triggerConditions = (payer: Address, launch: TradedLaunch): Instruction[] =>
  toInstructions(
    triggerConditionsV2(umi, {
      ...accountsOf(launch),
      bucket: asKey(launch.addresses.primary),
      payer: signerAt(payer),
    }),
  )

/** `swap_base_input` of Raydium, for which the official packages have no builder. */
const swapInPool = (
  trader: Address,
  { mint }: TradedLaunch,
  pool: SwappedPool,
  side: 'buy' | 'sell',
  amountIn: bigint,
): Instruction => {
  const tokens = {
    base: { mint, program: TOKEN_PROGRAM },
    quote: { mint: WRAPPED_SOL, program: TOKEN_PROGRAM },
  }
  const call = swapInPoolCall(tokens, pool, trader, { side, amountIn, amountOutMin: 0n })
  const { program, accounts, data } = encodeCall(call)
  return {
    program,
    data,
    accounts: accounts.map(({ address, role }) => ({
      address,
      isSigner: role >= READONLY_SIGNER,
      isWritable: role % 2 === 1,
    })),
  }
}

/** Creates the trader's account for the token, if it is missing. */
const openTokenAccount = (trader: Address, mint: Address): Instruction =>
  createAssociatedAccount({
    program: TOKEN_PROGRAM,
    payer: trader,
    mint,
    owner: trader,
    account: associatedToken(mint, trader),
  })

export const buyInPool = (
  trader: Address,
  launch: TradedLaunch,
  pool: SwappedPool,
  lamports: bigint,
): Instruction[] => [
  ...wrap(trader, lamports),
  openTokenAccount(trader, launch.mint),
  swapInPool(trader, launch, pool, 'buy', lamports),
]

export const sellInPool = (
  trader: Address,
  launch: TradedLaunch,
  pool: SwappedPool,
  amount: bigint,
): Instruction[] => [openQuoteAccount(trader, trader), swapInPool(trader, launch, pool, 'sell', amount)]

/** Wraps lamports of the trader, and makes sure that the program's fee wallet has an account. */
const wrap = (trader: Address, lamports: bigint): Instruction[] => {
  const account = associatedToken(WRAPPED_SOL, trader)
  return [
    openQuoteAccount(trader, FEE_WALLET),
    openQuoteAccount(trader, trader),
    systemTransfer(trader, account, lamports),
    syncNative(account),
  ]
}

export const openQuoteAccount = (payer: Address, owner: Address): Instruction =>
  createAssociatedAccount({
    program: TOKEN_PROGRAM,
    payer,
    mint: WRAPPED_SOL,
    owner,
    account: associatedToken(WRAPPED_SOL, owner),
  })

/** Sends the proceeds of a sale to a bucket. `holder` owns the bucket's quote tokens. */
export const triggerBehaviors = (
  payer: Address,
  launch: TradedLaunch,
  { bucket, holder }: { bucket: Address; holder: Address },
): Instruction[] =>
  toInstructions(
    triggerBehaviorsV2(umi, {
      ...accountsOf(launch),
      primaryBucket: asKey(launch.addresses.primary),
      payer: signerAt(payer),
    }).addRemainingAccounts(
      [bucket, associatedToken(WRAPPED_SOL, holder)].map(address => ({
        pubkey: asKey(address),
        isSigner: false,
        isWritable: true,
      })),
    ),
  )

type PoolOptions = { readonly environment: RaydiumEnvironment; readonly creatorFee: boolean }

const poolOf = ({ mint, addresses }: TradedLaunch, { environment, creatorFee }: PoolOptions) =>
  deriveRaydiumPDAsV2(umi, asKey(mint), asKey(addresses.amm), { creatorFee, env: environment })

/** Creates the pool from what the AMM bucket holds. */
export const graduate = (payer: Address, launch: TradedLaunch, options: PoolOptions): Instruction[] =>
  toInstructions(
    graduateToRaydiumCpmmV2(umi, {
      ...poolOf(launch, options),
      ...accountsOf(launch),
      bucket: asKey(launch.addresses.amm),
      payer: signerAt(payer),
    }),
  )

export const collectPoolFees = (
  payer: Address,
  launch: TradedLaunch,
  environment: RaydiumEnvironment,
): Instruction[] =>
  toInstructions(
    collectRaydiumCpmmFeesWithCreatorFeeV2(umi, {
      ...poolOf(launch, { environment, creatorFee: true }),
      ...accountsOf(launch),
      raydiumCpmmBucket: asKey(launch.addresses.amm),
      payer: signerAt(payer),
    }),
  )

/**
 * Claims the fees of the curve or of its pool, and unwraps them: afterwards the creator has lamports and no token
 * account.
 */
export const claimFees = (
  payer: Address,
  launch: TradedLaunch,
  { creator, from }: { creator: Address; from: 'curve' | 'pool' },
): Instruction[] => {
  const claim = from === 'curve' ? claimBondingCurveCreatorFeeV2 : claimRaydiumCreatorFeeV2
  const { primary, amm } = launch.addresses
  return [
    ...toInstructions(
      claim(umi, {
        ...accountsOf(launch),
        bucket: asKey(from === 'curve' ? primary : amm),
        creatorFeeWallet: asKey(creator),
        payer: signerAt(payer),
      }),
    ),
    closeTokenAccount(associatedToken(WRAPPED_SOL, creator), creator),
  ]
}
