import { decode } from '@slipway/launch-model/bytes/codec'
import type { Call } from '@slipway/launch-model/call'
import type { SwappedPool } from '@slipway/launch-model/calls/trades'
import { bondingCurve } from '@slipway/launch-model/kinds/bonding-curve'
import { presale } from '@slipway/launch-model/kinds/presale'
import { raydiumCpmm } from '@slipway/launch-model/kinds/raydium-cpmm'
import { decodePoolData } from '@slipway/launch-model/pool-state'
import type { Chain } from '../ledger/create-chain.ts'
import { createFaucet } from '../ledger/faucet.ts'
import { createTransaction, type Keypair } from '../ledger/keypair.ts'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import {
  associatedToken,
  buyInPool,
  buyOnCurve,
  depositInSale,
  graduate,
  type Sale,
  sellInPool,
  sellOnCurve,
  type TradedLaunch,
  toInstruction,
  triggerBehaviors,
} from './calls.ts'
import { type RaydiumEnvironment, traderKey } from './keys.ts'
import { marketVersion } from './submit.ts'
import type { WorldLaunch } from './world-launch.ts'

const SOL = 1_000_000_000n
const REFILL_LAMPORTS = 1_000n * SOL
const BALANCE_MIN_LAMPORTS = 100n * SOL

/**
 * Trades by instructions, signed and paid like those of any other wallet. A trader who is short of lamports gets an
 * airdrop.
 */
export function marketTrades(chain: Chain, environment: RaydiumEnvironment) {
  const faucet = createFaucet(chain)

  function send(trader: Keypair, calls: readonly Call[]): void {
    const blockhash = chain.clock.blockhash(chain.clock.slot())
    const tx = createTransaction([trader], calls.map(toInstruction), blockhash, marketVersion(chain))
    const { err, logs } = chain.submit(tx)
    if (err !== null) throw new Error(`a demo trade failed: ${JSON.stringify(err)}\n${logs.join('\n')}`)
  }

  const fundedTrader = (number: number): Keypair => {
    const trader = traderKey(chain, number)
    if ((chain.account(trader.address)?.lamports ?? 0n) < BALANCE_MIN_LAMPORTS)
      faucet.airdrop(trader.address, REFILL_LAMPORTS)
    return trader
  }

  const heldBy = (trader: Keypair, { mint }: TradedLaunch): bigint =>
    decodeTokenAccount(chain.account(associatedToken(mint, trader.address)))?.amount ?? 0n

  const curveOf = ({ addresses }: TradedLaunch) => {
    const data = chain.account(addresses.primary)?.data
    return data && decode(bondingCurve.layout, data)
  }
  const ammOf = ({ addresses }: TradedLaunch) => {
    const data = chain.account(addresses.amm)?.data
    return data && decode(raydiumCpmm.layout, data)
  }
  const isSoldOut = (launch: TradedLaunch): boolean =>
    curveOf(launch)?.conditions.SwapEnd.triggeredTimestamp !== undefined

  return {
    buyOnCurve(launch: TradedLaunch, traderNumber: number, lamports: bigint): void {
      const trader = fundedTrader(traderNumber)
      send(trader, buyOnCurve(trader.address, launch, lamports))
    },

    /** Sells a third of what the trader holds; `false` if that is nothing. */
    sellOnCurve(launch: TradedLaunch, traderNumber: number): boolean {
      const trader = fundedTrader(traderNumber)
      const amount = heldBy(trader, launch) / 3n
      if (amount === 0n) return false
      send(trader, sellOnCurve(trader.address, launch, amount))
      return true
    },

    /**
     * Buys in the pool of a graduated launch or, if the trader has tokens to sell, sells a third of them. False if
     * there is no pool.
     */
    tradeInPool(launch: TradedLaunch, traderNumber: number, lamports: bigint, sells = false): boolean {
      const pool = findPool(launch)
      if (!pool) return false
      const trader = fundedTrader(traderNumber)
      const amount = sells ? heldBy(trader, launch) / 3n : 0n
      send(
        trader,
        amount > 0n
          ? sellInPool(trader.address, launch, pool, amount)
          : buyInPool(trader.address, launch, pool, lamports),
      )
      return true
    },

    /** Nothing happens in a presale that is full. */
    depositInSale(launch: WorldLaunch, traderNumber: number, lamports: bigint): void {
      const { mechanic } = launch.plan
      if (mechanic === 'presaleV2' && isFull(launch)) return
      const trader = fundedTrader(traderNumber)
      send(trader, depositInSale(trader.address, { ...launch, mechanic }, lamports))
    },

    isSoldOut,

    /** Whether the proceeds of a launch have left it and, if it has an AMM bucket, its pool exists. */
    isGraduated(launch: WorldLaunch): boolean {
      if (!launch.plan.amm) return launch.plan.behaviorsDone ?? false
      return (ammOf(launch)?.graduatedBaseTokenAmount ?? 0n) > 0n
    },

    /** Buys what is left on a curve, sends its proceeds to its AMM bucket, and creates the pool. */
    graduate(launch: TradedLaunch, traderNumber = 0): void {
      const trader = fundedTrader(traderNumber)
      const payer = trader.address
      const sale: Sale = { ...launch, mechanic: 'bondingCurveV2' }
      const { amm } = launch.addresses
      if (!isSoldOut(launch)) send(trader, buyOnCurve(payer, launch, BALANCE_MIN_LAMPORTS - SOL))
      if (!ammOf(launch)?.quoteTokenInSigner)
        send(trader, triggerBehaviors(payer, sale, { kind: 'raydiumCpmmV2', address: amm }))
      send(trader, graduate(payer, launch, { environment, creatorFee: true }))
    },
  }

  function findPool({ addresses }: TradedLaunch): SwappedPool | undefined {
    const data = chain.account(addresses.pool)?.data
    const pool = data && decodePoolData(data)
    if (!pool || typeof pool === 'string' || !pool.ammConfig) return undefined
    return { ...pool, address: addresses.pool, environment, config: pool.ammConfig }
  }

  function isFull({ addresses }: WorldLaunch): boolean {
    const data = chain.account(addresses.primary)?.data
    if (!data) return true
    const { quoteTokenDepositTotal, allocationQuoteTokenCap } = decode(presale.layout, data)
    return quoteTokenDepositTotal >= allocationQuoteTokenCap
  }
}
