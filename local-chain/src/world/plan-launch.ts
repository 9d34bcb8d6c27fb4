import { assetSignerAddress, bucketAddress } from '@slipway/launch-model/addresses'
import type { Condition } from '@slipway/launch-model/conditions'
import type { Behavior, FirstBuy } from '@slipway/launch-model/kinds/bucket-parts'
import type { LaunchPlan, PrimaryPlan } from '@slipway/launch-model/plan/launch-plan'
import { listLaunchSteps } from '@slipway/launch-model/plan/launch-steps'
import { TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@solana/kit'
import type { Instruction } from '../programs/stand-in.ts'
import { toInstruction } from './calls.ts'
import { launchAddresses, type SaleKind } from './launch-addresses.ts'

/** What differs between the launches of the demo. */
export type LaunchTerms = {
  readonly mechanic: SaleKind
  readonly mint: Address
  /** Signs and pays. It is the authority too, unless an agent is. */
  readonly wallet: Address
  /** The agent whose wallet is the authority. */
  readonly agent?: Address
  readonly token: { readonly name: string; readonly symbol: string; readonly uri: string }
  /** Unix seconds. A bonding curve has no end time, and is usually open from the start. */
  readonly startTime: number
  readonly endTime: number
  readonly depositedLamports: bigint
  readonly creatorWallet?: Address
  /** The AMM bucket that follows the primary one, with its creator fees. */
  readonly amm?: { readonly graduatedAt?: number; readonly accrued: bigint; readonly claimed: bigint }
  /** A curve that opens at `startTime`, whose first buy is reserved, or whose tokens are all sold. */
  readonly opensLater?: boolean
  readonly firstBuy?: FirstBuy
  readonly soldOutAt?: number
  /** Lamports that a launch pool must raise. */
  readonly goal?: bigint
  /** The part of the deposits that belongs to the visitor. */
  readonly ofVisitor?: bigint
  /** How many deposits there are besides the visitor's. One by default. */
  readonly deposits?: number
  readonly releases?: boolean
  readonly claimsAtGraduation?: boolean
  /** Whether its end behaviors have run. */
  readonly behaviorsDone?: boolean
}

export const SUPPLY = 1_000_000_000_000_000n
const DECIMALS = 6
/** A bucket that sells has four fifths of the supply; the other bucket has the last fifth. */
const ON_SALE = (SUPPLY * 4n) / 5n
/** The deposits that buy the whole allocation of a presale in the demo. */
const PRESALE_CAP_LAMPORTS = 500_000_000_000n
/** What a curve of the demo takes in until it is sold out. Its last price is that at which a pool starts. */
const RAISES_LAMPORTS = 85_000_000_000n
const VIRTUAL_RESERVES = { quote: RAISES_LAMPORTS / 3n, base: (SUPPLY * 4n) / 15n }
const WEEK = 604_800n

/** The price of all tokens on the curve, without fees. */
export function curveCost(): bigint {
  const { quote, base } = VIRTUAL_RESERVES
  return (quote * (base + ON_SALE) + base - 1n) / base - quote
}

/** The plan of a launch, as the service would have it for a request. */
export function planLaunch(terms: LaunchTerms): LaunchPlan {
  const { mint, wallet, agent, token, mechanic, creatorWallet } = terms
  const { genesis, amm } = launchAddresses(mint, mechanic)
  const destination = terms.amm ? amm : unlockedBucket(terms)
  const inLastBucket = { bucketIndex: 0, baseTokenAllocation: SUPPLY - ON_SALE }
  const proceeds: Behavior = {
    kind: 'SendQuoteTokenPercentage',
    processed: false,
    percentageBps: 10_000,
    bucket: destination,
  }
  return {
    wallet,
    agent: agent && { asset: agent, setsToken: false },
    mint,
    genesis,
    quoteMint: WRAPPED_NATIVE_MINT,
    quoteTokenProgram: TOKEN_PROGRAM,
    token: { ...token, decimals: DECIMALS, supply: SUPPLY },
    primary: planPrimary(terms, amm),
    behaviors: [
      ...(terms.amm ? [{ kind: 'SendStartPrice', processed: false, bucket: amm } as const] : []),
      proceeds,
    ],
    pools: terms.amm
      ? [
          {
            kind: 'raydiumCpmmV2',
            added: { ...inLastBucket, conditions: { GraduateStart: ALWAYS } },
            extended: { creatorFee: creatorWallet && { wallet: creatorWallet } },
          },
        ]
      : [],
    unlocked: terms.amm
      ? []
      : [
          {
            kind: 'unlockedV2',
            added: { ...inLastBucket, conditions: { ClaimStart: ALWAYS, ClaimEnd: NEVER } },
            extended: {},
            recipient: agent ? assetSignerAddress(agent) : wallet,
          },
        ],
    isFinalized: true,
  }
}

/** Gets the proceeds of a launch that has no AMM bucket. */
export const unlockedBucket = ({ mint, mechanic }: Pick<LaunchTerms, 'mint' | 'mechanic'>): Address =>
  bucketAddress('unlockedV2', launchAddresses(mint, mechanic).genesis, 0)

function planPrimary(terms: LaunchTerms, amm: Address): PrimaryPlan {
  const { mechanic, startTime, endTime, goal, creatorWallet, firstBuy } = terms
  const added = { bucketIndex: 0, baseTokenAllocation: ON_SALE }
  if (mechanic === 'bondingCurveV2') {
    // Without a time, a launch starts when it is registered, which is after the end of a curve that is already full.
    const hasStartTime =
      terms.opensLater || terms.soldOutAt !== undefined || terms.amm?.graduatedAt !== undefined
    const SwapStart = hasStartTime ? timeAt(startTime) : ALWAYS
    return {
      kind: mechanic,
      added: {
        ...added,
        conditions: { SwapStart, SwapEnd: { kind: 'Triggered' } },
        virtualReserves: VIRTUAL_RESERVES,
      },
      extended: { firstBuy, creatorFee: creatorWallet && { wallet: creatorWallet } },
    }
  }
  const claims = timeAt(endTime + 1)
  const atGraduation: Condition = {
    kind: 'TimeRelative',
    bucket: amm,
    bucketTime: 'Graduate',
    timeOffset: 0n,
  }
  const conditions = {
    DepositStart: timeAt(startTime),
    DepositEnd: timeAt(endTime),
    ClaimStart: terms.claimsAtGraduation ? atGraduation : claims,
    ClaimEnd: NEVER,
  }
  // A tenth of the tokens at once, and the rest week by week for a year.
  const claimSchedule = terms.releases
    ? { start: claims, cliff: claims, duration: 52n * WEEK, period: WEEK, cliffAmountBps: 1_000 }
    : undefined
  return mechanic === 'launchpoolV2'
    ? {
        kind: mechanic,
        added: { ...added, conditions },
        extended: { minimumQuoteTokenThreshold: goal, claimSchedule },
      }
    : {
        kind: mechanic,
        added: { ...added, conditions, allocationQuoteTokenCap: PRESALE_CAP_LAMPORTS },
        extended: { claimSchedule },
      }
}

const timeAt = (unixTime: number): Condition => ({ kind: 'TimeAbsolute', time: BigInt(unixTime) })
const ALWAYS: Condition = { kind: 'Always' }
const NEVER: Condition = { kind: 'Never' }

/** The instructions that create a launch, one list for each of three transactions. */
export function listCreation(plan: LaunchPlan): Instruction[][] {
  const steps = listLaunchSteps(plan).filter(({ isAfterwards }) => !isAfterwards)
  const flows = 1 + steps.findIndex(({ name }) => name === 'fund flows')
  return [steps.slice(0, 1), steps.slice(1, flows), steps.slice(flows)].map(part =>
    part.flatMap(({ calls }) => calls.map(({ call }) => toInstruction(call))),
  )
}
