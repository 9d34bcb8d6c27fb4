import {
  addConstantProductBondingCurveBucketV2,
  addUnlockedBucketV2,
  type ConditionArgs,
  finalizeV2,
  getSwapResult,
  swapBondingCurveV2,
} from 'genesis-2026-02'
import { type Curve, type CurveMarket, type Order, swapInput } from './curve-market.ts'
import { startLaunchPool } from './launch-pool.ts'
import { CURVE_NUMBERS } from './launches.ts'
import { readGenesis } from './real-programs.ts'

/**
 * A curve created by the public binary of February 2026 with the client of that time. No later binary creates curves.
 */
export async function startFebruaryMarket(times: { start: number; end: number }): Promise<CurveMarket> {
  const world = startLaunchPool(readGenesis('Genesis of February 2026'))
  const { umi, launch } = world
  const common = { genesisAccount: launch.genesisAccount, baseMint: launch.mint }
  const steps = [
    launch.initialize(),
    addConstantProductBondingCurveBucketV2(umi, {
      ...common,
      paused: false,
      baseTokenAllocation: CURVE_NUMBERS.onCurve,
      swapStartCondition: at(times.start),
      swapEndCondition: at(times.end),
      virtualSol: CURVE_NUMBERS.virtualSol,
      virtualTokens: CURVE_NUMBERS.virtualTokens,
      endBehaviors: [],
    }),
    addUnlockedBucketV2(umi, {
      ...common,
      recipient: world.depositor(9).publicKey,
      baseTokenAllocation: CURVE_NUMBERS.inPool,
      claimStartCondition: at(times.end + 1),
      claimEndCondition: at(times.end + 1_000_000),
      backendSigner: null,
    }),
    finalizeV2(umi, common).addRemainingAccounts(
      [launch.curve, launch.unlocked].map(pubkey => ({ pubkey, isSigner: false, isWritable: true })),
    ),
  ]
  for (const step of steps) {
    const { err, logs } = await world.send(step)
    if (err !== null) throw new Error(`${JSON.stringify(err)}\n${logs.join('\n')}`)
  }
  return {
    ...world,
    swap(order) {
      const { baseTokenAccount, quoteTokenAccount, quoteTokenOwner, minAmountOutScaled, ...input } =
        swapInput(world, order)
      return swapBondingCurveV2(umi, {
        ...input,
        swapperBaseTokenAccount: baseTokenAccount,
        swapperQuoteTokenAccount: quoteTokenAccount,
        swapper: quoteTokenOwner,
        minAmountOut: minAmountOutScaled,
      } as never)
    },
  }
}
const at = (unixTime: number): ConditionArgs => ({
  __kind: 'TimeAbsolute',
  padding: Array(47).fill(0),
  time: BigInt(unixTime),
  triggeredTimestamp: null,
})

/** That client's quote, which still takes the older kind of bucket. */
export const februaryQuote = (curve: Curve, { amount, direction }: Order) =>
  getSwapResult(
    {
      ...curve,
      bondingCurveType: 0,
      bondingCurveParameters: curve.constantProductParams,
      quoteDepositTotal: curve.quoteTokenDepositTotal,
      tokenBalance: curve.bucket.baseTokenBalance,
    } as never,
    amount,
    direction as number,
  )
