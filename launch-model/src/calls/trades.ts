import type { Address } from '@slipway/schema/address'
import { associatedTokenAddress, poolAuthorityAddress } from '../addresses.ts'
import { struct, u8, u64, zeros } from '../bytes/codec.ts'
import {
  type Call,
  type CallAccount,
  call,
  defineCall,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../call.ts'
import type { PoolAccount } from '../pool-state.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  GENESIS_FEE_WALLET,
  GENESIS_PROGRAM,
  RAYDIUM_PROGRAMS,
  type RaydiumEnvironment,
  SYSTEM_PROGRAM,
} from '../programs.ts'
import { openedTokens, type Token } from './tokens.ts'

export interface TradedTokens {
  base: Token
  quote: Token
}

/** A trade with an exact input, which fails if it gives less than `amountOutMin`. */
export interface ExactInput {
  side: 'buy' | 'sell'
  amountIn: bigint
  amountOutMin: bigint
}

export const tokensOf = ({ mint, program }: Token, owner: Address): Address =>
  associatedTokenAddress(mint, owner, program)

/** `swapBondingCurveV2` of Genesis. 0 buys, 1 sells. */
export const swapOnCurve = defineCall(
  'swapOnCurve',
  GENESIS_PROGRAM,
  65,
  struct({ direction: u8, _padding: zeros(6), amountIn: u64, amountOutMin: u64 }),
)
const DIRECTIONS = { buy: 0, sell: 1 }

/** An optional account that is not given is written as the program itself. */
const none = (name: string) => readonly(GENESIS_PROGRAM, name)

/** Buys from a curve or sells to it. The trader signs; the payer pays the rent of token accounts that are missing. */
export function swapOnCurveCall(
  { base, quote }: TradedTokens,
  { genesis, curve }: { genesis: Address; curve: Address },
  { payer, trader }: { payer: Address; trader: Address },
  { side, amountIn, amountOutMin }: ExactInput,
): Call {
  const name = side === 'buy' ? 'buyer' : 'seller'
  const received = side === 'buy' ? base : quote
  // The program creates both where they are missing. A new account has nothing to pay with, so that trade fails.
  const tokens = (token: Token, purpose: string) =>
    token === received ? openedTokens(token, trader, purpose) : writable(tokensOf(token, trader), purpose)
  const owner = (isSigner: boolean): CallAccount => {
    // By default, the payer owns both token accounts.
    if (trader === payer) return none(`the ${name}`)
    return isSigner ? readonlySigner(trader, `the ${name}`) : readonly(trader, `the ${name}`)
  }
  return call(swapOnCurve, { direction: DIRECTIONS[side], amountIn, amountOutMin }, [
    readonly(genesis, 'the launch'),
    writable(curve, 'the bonding curve'),
    readonly(base.mint, side === 'buy' ? 'the new token' : 'the token'),
    readonly(quote.mint, 'the payment token'),
    writable(tokensOf(base, genesis), 'the launch’s token account'),
    tokens(base, `the ${name}’s token account`),
    tokens(quote, `the ${name}’s account for payments`),
    writable(tokensOf(quote, curve), 'the bonding curve’s token account'),
    writableSigner(payer, 'the payer'),
    owner(side === 'buy'),
    owner(side === 'sell'),
    // No backend has to sign.
    none('the backend'),
    writable(tokensOf(quote, GENESIS_FEE_WALLET), 'the fee account'),
    readonly(base.program, 'the token program'),
    readonly(quote.program, 'the payment token’s program'),
    readonly(ASSOCIATED_TOKEN_PROGRAM, 'the associated token program'),
    readonly(SYSTEM_PROGRAM, 'the system program'),
  ])
}

/** A pool as a swap in it names it. */
export interface SwappedPool extends Pick<PoolAccount, 'mint0' | 'vault0' | 'vault1' | 'observation'> {
  address: Address
  environment: RaydiumEnvironment
  config: Address
}

/** The instructions of Raydium's program that swap: the first has an exact input, the second an exact output. */
const SWAP_BASE_INPUT = [143, 190, 90, 218, 196, 30, 51, 222]
const SWAP_BASE_OUTPUT = [55, 217, 98, 86, 163, 74, 180, 173]
/** Whether the data is that of a swap. Both have the same accounts. */
export const isPoolSwap = (data: Uint8Array): boolean =>
  [SWAP_BASE_INPUT, SWAP_BASE_OUTPUT].some(first => first.every((byte, index) => data[index] === byte))
const swapData = struct({ amountIn: u64, amountOutMin: u64 })
/** Raydium has a program of its own on each network. */
export const SWAPS_IN_POOL = {
  mainnet: defineCall('swapInPool', RAYDIUM_PROGRAMS.mainnet, SWAP_BASE_INPUT, swapData),
  devnet: defineCall('swapInPool', RAYDIUM_PROGRAMS.devnet, SWAP_BASE_INPUT, swapData),
}

/** `swap_base_input` of Raydium's constant-product program. Both token accounts of the trader must exist. */
export function swapInPoolCall(
  { base, quote }: TradedTokens,
  pool: SwappedPool,
  trader: Address,
  { side, amountIn, amountOutMin }: ExactInput,
): Call {
  const { environment, vault0, vault1, observation } = pool
  if (!vault0 || !vault1 || !observation) throw new RangeError('the pool lacks its vaults')
  const isBase0 = pool.mint0 === base.mint
  const [baseVault, quoteVault] = isBase0 ? [vault0, vault1] : [vault1, vault0]
  const sides = [
    { token: base, vault: baseVault },
    { token: quote, vault: quoteVault },
  ] as const
  const [paid, received] = side === 'sell' ? sides : [sides[1], sides[0]]
  return call(SWAPS_IN_POOL[environment], { amountIn, amountOutMin }, [
    readonlySigner(trader, 'the trader'),
    readonly(poolAuthorityAddress(environment), 'the pool’s authority'),
    readonly(pool.config, 'the pool’s configuration'),
    writable(pool.address, 'the pool'),
    writable(tokensOf(paid.token, trader), 'the account that pays'),
    writable(tokensOf(received.token, trader), 'the account that receives'),
    writable(paid.vault, 'the pool’s vault'),
    writable(received.vault, 'the pool’s vault'),
    readonly(paid.token.program, 'the token program'),
    readonly(received.token.program, 'the token program'),
    readonly(paid.token.mint, 'the token that is paid'),
    readonly(received.token.mint, 'the token that is received'),
    writable(observation, 'the pool’s price history'),
  ])
}
