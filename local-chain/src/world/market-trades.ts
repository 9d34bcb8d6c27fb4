import {
  getBondingCurveBucketV2AccountDataSerializer,
  getPresaleBucketV2AccountDataSerializer,
  getRaydiumCpmmBucketV2AccountDataSerializer,
} from '@metaplex-foundation/genesis'
import { isSome } from '@metaplex-foundation/umi'
import type { SwappedPool } from '@slipway/launch-model/calls/trades'
import { decodePoolData } from '@slipway/launch-model/pool-state'
import type { Address } from '@solana/kit'
import type { Chain } from '../ledger/create-chain.ts'
import { createFaucet } from '../ledger/faucet.ts'
import { createTransaction, type Keypair } from '../ledger/keypair.ts'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import type { Instruction } from '../programs/stand-in.ts'
import { type RaydiumEnvironment, traderKey } from './keys.ts'
import { marketVersion } from './submit.ts'
import { associatedToken } from './token-accounts.ts'
import {
  buyInPool,
  buyOnCurve,
  depositInSale,
  graduate,
  openQuoteAccount,
  sellInPool,
  sellOnCurve,
  type TradedLaunch,
  triggerBehaviors,
} from './trade-instructions.ts'
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

  function send(trader: Keypair, instructions: readonly Instruction[]): void {
    const blockhash = chain.clock.blockhash(chain.clock.slot())
    const { err, logs } = chain.submit(
      createTransaction([trader], instructions, blockhash, marketVersion(chain)),
    )
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
     * there is no pool, or only one that an earlier version wrote without its vaults.
     */
    tradeInPool(launch: WorldLaunch, traderNumber: number, lamports: bigint, sells: boolean): boolean {
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

    isSoldOut({ addresses }: WorldLaunch): boolean {
      const data = chain.account(addresses.primary)?.data
      if (!data) return false
      const [curve] = getBondingCurveBucketV2AccountDataSerializer().deserialize(data)
      return isSome(curve.swapEndCondition.triggeredTimestamp)
    },

    /** Sends the proceeds of a sold-out curve to its AMM bucket, and then creates the pool. */
    graduate(launch: WorldLaunch, traderNumber: number): void {
      const trader = fundedTrader(traderNumber)
      const payer = trader.address
      const { amm: bucket, ammSigner: holder } = launch.addresses
      if (!hasProceeds(bucket))
        send(trader, [
          openQuoteAccount(payer, holder),
          ...triggerBehaviors(payer, launch, { bucket, holder }),
        ])
      send(trader, graduate(payer, launch, { environment, creatorFee: true }))
    },
  }

  function findPool({ addresses }: WorldLaunch): SwappedPool | undefined {
    const data = chain.account(addresses.pool)?.data
    const pool = data && decodePoolData(data)
    if (!pool || typeof pool === 'string' || !pool.ammConfig) return undefined
    return { ...pool, address: addresses.pool, environment, config: pool.ammConfig }
  }

  function isFull({ addresses }: WorldLaunch): boolean {
    const data = chain.account(addresses.primary)?.data
    if (!data) return true
    const [sale] = getPresaleBucketV2AccountDataSerializer().deserialize(data)
    return sale.quoteTokenDepositTotal >= sale.allocationQuoteTokenCap
  }

  function hasProceeds(amm: Address): boolean {
    const data = chain.account(amm)?.data
    return data
      ? getRaydiumCpmmBucketV2AccountDataSerializer().deserialize(data)[0].quoteTokenInSigner > 0n
      : false
  }
}
