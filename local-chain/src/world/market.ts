import type { Chain } from '../ledger/create-chain.ts'
import { GENESIS } from '../programs/genesis/checks.ts'
import { RAYDIUM_DEVNET, RAYDIUM_MAINNET } from '../programs/raydium/configs.ts'
import type { World } from './build-world.ts'
import { marketMoves } from './market-moves.ts'
import { marketTrades } from './market-trades.ts'
import type { WorldLaunch } from './world-launch.ts'

const RAYDIUM = [RAYDIUM_MAINNET, RAYDIUM_DEVNET]
const MOVE_MS = 2_000
const TRADERS = 12
const SELL_SHARE = 0.2
const GRADUATION_LAMPORTS = 85_000_000_000n

/**
 * Every two seconds, picks a random launch and buys, sells, deposits or trades in it; a curve that is sold out
 * graduates. Traders send instructions to the Genesis stand-in. Accounts are written directly only where there is no
 * program to send to: presales, and everything on an older Genesis binary, which has no curves.
 */
export function startMarket(options: {
  chain: Chain
  world: World
  onError: (error: Error) => void
  moveMs?: number
  random?: () => number
}): { stop(): void; step(): void } {
  const { chain, world, onError, moveMs = MOVE_MS, random = Math.random } = options
  const moves = marketMoves(chain, world.environment)
  const trades = marketTrades(chain, world.environment)
  const hasStandIn = chain.standIns.includes(GENESIS)
  const hasPools = RAYDIUM.every(program => chain.standIns.includes(program))
  const isOpenCurve = (launch: WorldLaunch) =>
    launch.plan.mechanic === 'bondingCurveV2' && !moves.isGraduated(launch)
  // Launches that wait for something must still be there for a visitor.
  const traded = world.launches.filter(({ entry }) => !entry.waits)
  const launches = traded.toSorted((a, b) => Number(isOpenCurve(b)) - Number(isOpenCurve(a)))

  function step(): void {
    // The first launches are traded most, so that a person who watches one sees it move every few seconds.
    const launch = launches[Math.floor(random() ** 3 * launches.length)]
    if (!launch) return
    const lamports = BigInt(Math.floor((0.05 + random() * 2.5) * 1e9))
    if (moves.isGraduated(launch)) tradeInPool(launch, lamports)
    else if (launch.plan.mechanic !== 'bondingCurveV2') depositIfOpen(launch, lamports)
    else if (hasStandIn) tradeOnCurve(launch, lamports)
    else if (moves.raisedOnCurve(launch) >= GRADUATION_LAMPORTS) moves.graduate(launch)
    else moves.buyOnCurve(launch, lamports)
  }

  function tradeInPool(launch: WorldLaunch, lamports: bigint): void {
    const isDone = hasPools && trades.tradeInPool(launch, aTrader(), lamports, random() < SELL_SHARE)
    if (!isDone) moves.tradeInPool(launch, lamports)
  }

  function tradeOnCurve(launch: WorldLaunch, lamports: bigint): void {
    const trader = aTrader()
    if (trades.isSoldOut(launch)) trades.graduate(launch, trader)
    else if (random() >= SELL_SHARE || !trades.sellOnCurve(launch, trader))
      trades.buyOnCurve(launch, trader, lamports)
  }

  function depositIfOpen(launch: WorldLaunch, lamports: bigint): void {
    const now = chain.clock.unixTime(chain.clock.slot())
    if (now < launch.plan.startTime || now >= launch.plan.endTime) return
    if (hasStandIn && !launch.entry.token2022) trades.depositInSale(launch, aTrader(), lamports)
    else moves.deposit(launch, lamports)
  }

  const aTrader = () => Math.floor(random() * TRADERS)

  const timer = setInterval(() => {
    try {
      step()
    } catch (error) {
      onError(error as Error)
    }
  }, moveMs)
  timer.unref()
  return { step, stop: () => clearInterval(timer) }
}
