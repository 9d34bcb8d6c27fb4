import { findAuthorityPda } from '@metaplex-foundation/genesis'
import { encode } from '@slipway/launch-model/bytes/codec'
import {
  decodePoolConfig,
  decodePoolData,
  type PoolAccount,
  type PoolConfig,
  poolLayout,
} from '@slipway/launch-model/pool-state'
import { quoteInPool, type TradedPool, takesFromInput } from '@slipway/launch-model/trade/pool'
import type { Address } from '@solana/kit'
import { decodeTokenAccount } from '../../ledger/token-balances.ts'
import { asKey, readUnixTime } from '../genesis/checks.ts'
import { transferChecked } from '../genesis/tokens.ts'
import { namedAccounts } from '../instruction-accounts.ts'
import { type AccountRef, type Invocation, ProgramError, type StandIn } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { poolConfigs, RAYDIUM_DEVNET, RAYDIUM_MAINNET } from './configs.ts'
import { raydiumError } from './errors.ts'

/** The first bytes of `sha256("global:swap_base_input")`. */
const SWAP_BASE_INPUT = '8fbe5adac41e33de'

/**
 * The part of Raydium's constant-product program that trades in pools. Genesis creates them and collects their fees.
 */
const standInAt = (address: Address): StandIn => ({
  address,
  accounts: poolConfigs(address),
  process(ctx) {
    if (ctx.data.length < 8) throw new ProgramError('InvalidInstructionData')
    if (Buffer.from(ctx.data.subarray(0, 8)).toString('hex') !== SWAP_BASE_INPUT) {
      ctx.log('This instruction needs the real program: npm run chain:programs')
      throw raydiumError('InstructionFallbackNotFound')
    }
    ctx.log('Instruction: SwapBaseInput')
    swapBaseInput(ctx, address)
  },
})

export const raydiumPrograms: readonly StandIn[] = [RAYDIUM_MAINNET, RAYDIUM_DEVNET].map(standInAt)

const ACCOUNTS = [
  'payer',
  'authority',
  'ammConfig',
  'poolState',
  'inputAccount',
  'outputAccount',
  'inputVault',
  'outputVault',
  'inputProgram',
  'outputProgram',
  'inputMint',
  'outputMint',
  'observationState',
] as const
type Accounts = Record<(typeof ACCOUNTS)[number], AccountRef>

/** Swaps an exact input. The arithmetic is the launch model's, which tests compare with the real program. */
export function swapBaseInput(ctx: Invocation, program: Address): void {
  const view = new DataView(ctx.data.buffer, ctx.data.byteOffset)
  if (ctx.data.length !== 24) throw new ProgramError('InvalidInstructionData')
  const [amount, amountOutMin] = [view.getBigUint64(8, true), view.getBigUint64(16, true)]
  const accounts: Accounts = namedAccounts(ctx, program, ACCOUNTS)
  const { pool, config } = load(ctx, program, accounts)
  if ((pool.status & SWAPS_DISABLED) !== 0 || readUnixTime(ctx) < pool.openTime)
    throw raydiumError('NotApproved')
  if (amount === 0n) throw raydiumError('RequireGtViolated')

  const isInput0 = accounts.inputVault.address === pool.vault0
  const held = (vault: AccountRef, fees: bigint) =>
    (decodeTokenAccount(ctx.read(vault.address))?.amount ?? 0n) - fees
  // The input takes the place of the quote token: a swap of either token is a purchase of the other.
  const traded: TradedPool = {
    reserves: {
      quote: held(accounts.inputVault, feesOf(pool, isInput0 ? 0 : 1)),
      base: held(accounts.outputVault, feesOf(pool, isInput0 ? 1 : 0)),
    },
    tradeFeeRate: config.tradeFeeRate,
    protocolFeeRate: config.protocolFeeRate,
    fundFeeRate: config.fundFeeRate,
    creatorFeeRate: pool.hasCreatorFee ? config.creatorFeeRate : 0n,
    creatorFeeIn:
      pool.creatorFeeOn === 0 ? 'input' : (pool.creatorFeeOn === 1) === isInput0 ? 'quote' : 'base',
  }
  const trade = quoteInPool(traded, { side: 'buy', mode: 'in', amount })
  if (typeof trade === 'string') throw raydiumError('RequireGtViolated')
  if (trade.amountOut < amountOutMin) throw raydiumError('ExceededSlippage')

  const partOf = (rate: bigint) => (trade.fees.pool * rate) / 1_000_000n
  const input = isInput0 ? 0 : 1
  const creatorSide = takesFromInput(traded, 'buy') ? input : 1 - input
  const state = ctx.read(accounts.poolState.address)
  if (!state) throw raydiumError('AccountNotInitialized')
  ctx.write(accounts.poolState.address, {
    ...state,
    data: encode(
      poolLayout,
      withFees(pool, input, creatorSide, {
        protocol: partOf(config.protocolFeeRate),
        fund: partOf(config.fundFeeRate),
        creator: trade.fees.creator,
      }),
    ),
  })
  const { payer, authority, inputAccount, inputVault, outputAccount, outputVault } = accounts
  const [decimalsIn, decimalsOut] = isInput0
    ? [pool.decimals0, pool.decimals1]
    : [pool.decimals1, pool.decimals0]
  transferChecked(
    ctx,
    {
      from: inputAccount,
      to: inputVault,
      authority: payer,
      mint: accounts.inputMint,
      tokenProgram: accounts.inputProgram,
    },
    { amount, decimals: decimalsIn },
    [],
  )
  transferChecked(
    ctx,
    {
      from: outputVault,
      to: outputAccount,
      authority,
      mint: accounts.outputMint,
      tokenProgram: accounts.outputProgram,
    },
    { amount: trade.amountOut, decimals: decimalsOut },
    [authority.address],
  )
}

/** Bits of the status: deposits, withdrawals, swaps. */
const SWAPS_DISABLED = 4

const feesOf = (pool: PoolAccount, side: 0 | 1): bigint =>
  side === 0
    ? pool.protocolFees0 + pool.fundFees0 + pool.creatorFees0
    : pool.protocolFees1 + pool.fundFees1 + pool.creatorFees1

const withFees = (
  pool: PoolAccount,
  input: number,
  creatorSide: number,
  { protocol, fund, creator }: { protocol: bigint; fund: bigint; creator: bigint },
): PoolAccount => ({
  ...pool,
  protocolFees0: pool.protocolFees0 + (input === 0 ? protocol : 0n),
  protocolFees1: pool.protocolFees1 + (input === 1 ? protocol : 0n),
  fundFees0: pool.fundFees0 + (input === 0 ? fund : 0n),
  fundFees1: pool.fundFees1 + (input === 1 ? fund : 0n),
  creatorFees0: pool.creatorFees0 + (creatorSide === 0 ? creator : 0n),
  creatorFees1: pool.creatorFees1 + (creatorSide === 1 ? creator : 0n),
})

/** The checks that the framework makes, in the order of the accounts. */
function load(
  ctx: Invocation,
  program: Address,
  accounts: Accounts,
): { pool: PoolAccount; config: PoolConfig } {
  const { payer, authority, ammConfig, poolState, inputVault, outputVault } = accounts
  if (!payer.isSigner) throw raydiumError('AccountNotSigner')
  if (findAuthorityPda(umi, asKey(program))[0] !== asKey(authority.address))
    throw raydiumError('ConstraintSeeds')
  const config = decoded(ctx, program, ammConfig, decodePoolConfig)
  const pool = decoded(ctx, program, poolState, decodePoolData)
  if (ammConfig.address !== pool.ammConfig) throw raydiumError('ConstraintAddress')
  const tokensIn = (ref: AccountRef) => {
    const account = decodeTokenAccount(ctx.read(ref.address))
    if (!account) throw raydiumError('AccountNotInitialized')
    return account
  }
  const [input, output] = [tokensIn(accounts.inputAccount), tokensIn(accounts.outputAccount)]
  const isVault = ({ address }: AccountRef) => address === pool.vault0 || address === pool.vault1
  if (!isVault(inputVault) || !isVault(outputVault) || inputVault.address === outputVault.address)
    throw raydiumError('ConstraintRaw')
  if (tokensIn(inputVault).mint !== accounts.inputMint.address) throw raydiumError('ConstraintAddress')
  if (tokensIn(outputVault).mint !== accounts.outputMint.address) throw raydiumError('ConstraintAddress')
  if (input.mint !== accounts.inputMint.address || output.mint !== accounts.outputMint.address)
    throw raydiumError('ConstraintTokenMint')
  if (accounts.observationState.address !== pool.observation) throw raydiumError('ConstraintAddress')
  return { pool, config }
}

function decoded<T extends object>(
  ctx: Invocation,
  program: Address,
  { address }: AccountRef,
  decode: (data: Uint8Array) => T | string,
): T {
  const account = ctx.read(address)
  if (!account || account.data.length === 0) throw raydiumError('AccountNotInitialized')
  if (account.owner !== program) throw raydiumError('AccountOwnedByWrongProgram')
  const value = decode(account.data)
  if (typeof value === 'string') throw raydiumError('AccountDiscriminatorMismatch')
  return value
}
