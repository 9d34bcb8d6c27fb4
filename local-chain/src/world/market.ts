import type { Chain } from '../ledger/create-chain.ts'
import type { World } from './build-world.ts'
import { marketMoves } from './market-moves.ts'
import type { WorldLaunch } from './world-launch.ts'

const MOVE_MS = 2_000
const GRADUATION_LAMPORTS = 85_000_000_000n

/** Every two seconds, picks a random launch and buys, deposits or trades in it; a full curve graduates. */
export function startMarket(options: {
  chain: Chain
  world: World
  onError: (error: Error) => void
  moveMs?: number
  random?: () => number
}): { stop(): void; step(): void } {
  const { chain, world, onError, moveMs = MOVE_MS, random = Math.random } = options
  const moves = marketMoves(chain, world.environment)

  function step(): void {
    const launch = world.launches[Math.floor(random() * world.launches.length)]
    if (!launch) return
    const lamports = BigInt(Math.floor((0.05 + random() * 2.5) * 1e9))
    if (moves.isGraduated(launch)) moves.tradeInPool(launch, lamports)
    else if (launch.plan.mechanic !== 'bondingCurveV2') depositIfOpen(launch, lamports)
    else if (moves.raisedOnCurve(launch) >= GRADUATION_LAMPORTS) moves.graduate(launch)
    else moves.buyOnCurve(launch, lamports)
  }

  function depositIfOpen(launch: WorldLaunch, lamports: bigint): void {
    const now = chain.clock.unixTime(chain.clock.slot())
    if (now >= launch.plan.startTime && now < launch.plan.endTime) moves.deposit(launch, lamports)
  }

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
