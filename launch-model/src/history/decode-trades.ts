import type { Address } from '@slipway/schema/address'
import { assetSignerAddress } from '../addresses.ts'
import { isPoolSwap } from '../calls/trades.ts'
import { CORE_PROGRAM, GENESIS_PROGRAM } from '../programs.ts'
import { feesOfSwap, type PoolRates } from '../trade/pool.ts'
import { movementOf } from './genesis-movements.ts'
import type { Trade } from './trade.ts'
import type { LandedCall, LandedTransaction } from './transaction.ts'
import { createTransfers, type Transfers } from './transfers.ts'

/** What must be known about a launch to find its trades. */
export interface TradedLaunch {
  genesis: Address
  baseMint: Address
  pools: readonly HistoricPool[]
}

/** A pool that the launch has graduated into. */
export interface HistoricPool {
  address: Address
  /** Raydium's, which differs by network. */
  program: Address
  rates: PoolRates
}

type Movement = Omit<Trade, 'signature' | 'index' | 'slot' | 'time' | 'agent'>

/**
 * The trades of one launch in a transaction. Only calls of Genesis and of the pool's program count. They have checked
 * the accounts that they were given, so an account of the launch in its place shows that the call is about the
 * launch.
 */
export function decodeTrades(launch: TradedLaunch, transaction: LandedTransaction): Trade[] {
  const { signature, slot, time, calls, failed } = transaction
  // A failed transaction lists the calls that it had made before it failed.
  if (failed) return []
  const trades: Trade[] = []
  const above: LandedCall[] = []
  calls.forEach((call, index) => {
    above.length = call.height - 1
    const found = movementIn(launch, call, () => createTransfers(transaction, index))
    if (found)
      trades.push({ signature, index, slot, time, ...found, agent: agentOf(found.wallet, above) ?? null })
    above.push(call)
  })
  return trades
}

function movementIn(
  launch: TradedLaunch,
  call: LandedCall,
  transfersOf: () => Transfers,
): Movement | undefined {
  if (call.program === GENESIS_PROGRAM)
    return call.accounts[0] === launch.genesis ? movementOf(call, transfersOf) : undefined
  const pool = launch.pools.find(
    ({ program, address }) => call.program === program && call.accounts[3] === address,
  )
  return pool && isPoolSwap(call.data) ? swapInPool(launch, pool, call, transfersOf()) : undefined
}

/** A swap of Raydium's program. */
function swapInPool(
  { baseMint }: TradedLaunch,
  { rates }: HistoricPool,
  { accounts }: LandedCall,
  { sum }: Transfers,
): Movement | undefined {
  const [wallet, , , , from, to, vaultIn, vaultOut, , , mintIn] = accounts
  const paid = sum({ from, to: vaultIn })
  // Wrapped native currency may also be unwrapped into the wallet. A wallet may itself be a token account.
  const received = sum({ from: vaultOut, to }) + (to === wallet ? 0n : sum({ from: vaultOut, to: wallet }))
  if (!wallet || paid === 0n) return undefined
  const side = mintIn === baseMint ? 'sell' : 'buy'
  const [baseAmount, quoteAmount] = side === 'sell' ? [paid, received] : [received, paid]
  const { creatorFee, poolFee } = feesOfSwap(rates, side, { paid, received })
  return {
    kind: side,
    wallet,
    baseAmount,
    quoteAmount,
    protocolFee: 0n,
    creatorFee,
    // Never 0: this fee also tells a trade in a pool from one of the sale.
    poolFee: poolFee || 1n,
  }
}

/** The agent whose wallet this is, if one of the calls above is Core's `execute` for it. */
const agentOf = (wallet: Address, above: readonly LandedCall[]): Address | undefined =>
  above
    .filter(({ program }) => program === CORE_PROGRAM)
    .map(({ accounts }) => accounts[0])
    .find(asset => asset !== undefined && assetSignerAddress(asset) === wallet)
