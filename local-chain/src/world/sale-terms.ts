import {
  BucketTimes,
  type ConditionArgs,
  createTimeAbsoluteCondition,
  createTimeRelativeCondition,
} from '@metaplex-foundation/genesis'
import type { Address } from '@solana/kit'
import { asKey } from '../programs/genesis/checks.ts'
import { launchAddresses, type Mechanic } from './launch-addresses.ts'

/** The parts of a launch's plan that its sale depends on. */
interface SalePlan {
  readonly mint: Address
  readonly mechanic: Mechanic
  readonly endTime: number
  readonly claimsAtGraduation?: boolean | undefined
}

/** The deposits that buy the whole allocation of a presale in the demo. */
export const PRESALE_CAP_LAMPORTS = 500_000_000_000n
const WEEK = 7 * 86_400
const YEAR = 52 * WEEK

/** Claims start when deposits have ended or, if the launch says so, when it graduates. */
export function claimStartOf({ mint, mechanic, endTime, claimsAtGraduation }: SalePlan): ConditionArgs {
  if (!claimsAtGraduation) return createTimeAbsoluteCondition(BigInt(endTime + 1))
  return createTimeRelativeCondition(asKey(launchAddresses(mint, mechanic).amm), BucketTimes.Graduate)
}

/** Part of the tokens at once, and the rest week by week for a year. */
export const releaseOf = ({ endTime }: SalePlan) => ({
  startCondition: createTimeAbsoluteCondition(BigInt(endTime + 1)),
  cliffCondition: createTimeAbsoluteCondition(BigInt(endTime + 1)),
  duration: BigInt(YEAR),
  period: BigInt(WEEK),
  cliffAmountBps: 1_000,
  reserved: Array<number>(126).fill(0),
})
