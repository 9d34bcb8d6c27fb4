import type { Chain } from '../ledger/create-chain.ts'
import type { World } from './build-world.ts'
import { marketTrades } from './market-trades.ts'
import type { WorldLaunch } from './world-launch.ts'

const MOVE_MS = 2_000
const TRADERS = 12
const SELL_SHARE = 0.2

/**
 * Every two seconds, picks a random launch and buys, sells, deposits or trades in it; a curve that is sold out
 * graduates.
 */
export function startMarket(options: {
  chain: Chain
  world: World
  onError: (error: Error) => void
  moveMs?: number
  random?: () => number
}): { stop(): void; step(): void } {
  const { chain, world, onError, moveMs = MOVE_MS, random = Math.random } = options
  const trades = marketTrades(chain, world.environment)
  const isOpenCurve = (launch: WorldLaunch) =>
    launch.plan.mechanic === 'bondingCurveV2' && !trades.isGraduated(launch)
  // Launches that wait for something must still be there for a visitor. Genesis takes no deposits for a Token-2022 token.
  const traded = world.launches.filter(
    ({ entry, addresses }) => !entry.waits && !entry.token2022 && chain.account(addresses.primary),
  )
  const launches = traded.toSorted((a, b) => Number(isOpenCurve(b)) - Number(isOpenCurve(a)))

  function step(): void {
    // The first launches are traded most, so that a person who watches one sees it move every few seconds.
    const launch = launches[Math.floor(random() ** 3 * launches.length)]
    if (!launch) return
    const lamports = BigInt(Math.floor((0.05 + random() * 2.5) * 1e9))
    if (trades.isGraduated(launch)) trades.tradeInPool(launch, aTrader(), lamports, random() < SELL_SHARE)
    else if (launch.plan.mechanic === 'bondingCurveV2') tradeOnCurve(launch, lamports)
    else depositIfOpen(launch, lamports)
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
    trades.depositInSale(launch, aTrader(), lamports)
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
